import { join } from 'node:path';

import { judgeFindings, refuseFindings } from '../../audit/policy.ts';
import { fail, type Outcome } from '../../model/outcome.ts';
import { quoteWord } from '../../model/shell-word.ts';
import { sha256Of } from '../../parse/digest.ts';
import { readOwnBytes } from '../../platform/files/files.ts';
import { readGivenSkill, type GivingOptions } from '../given-skill.ts';
import { findClientFault, planVersion, type SiteFile } from './plan-version.ts';
import { readHistory } from './site-history.ts';
import { folderOf, type SiteSkill } from './site-skill.ts';

export interface AddingOptions extends GivingOptions {
  /** The folder of the site; it is made if it does not exist. */
  readonly to: string;
}

/** Reads, audits and packs a skill. Fails if it is not valid, if its audit is critical, or if its version is taken. */
export async function addSkill(dir: string, options: AddingOptions): Promise<Outcome<AddedSkill>> {
  const given = await readGivenSkill(dir, options);
  if (!given.ok) return given;
  const { name } = given.skill;
  const fault = findClientFault(given.skill);
  if (fault !== undefined) return fail('SKILL_INVALID', `${dir} cannot be published: ${fault}`);
  const { refused } = judgeFindings(given.audit.findings, { failOn: 'critical', allow: options.allow ?? [] });
  if (refused.length > 0) {
    const allowed = [...new Set(refused.map(({ rule }) => `\`allow: ${rule}\``))].join(' ');
    const hint = `Look at what was found with \`audit ${quoteWord(dir)}\`. If you accept it, add ${allowed}.`;
    return { ...refuseFindings(name, refused), hint };
  }
  const history = readHistory(options.to, name);
  if (!history.ok) return history;
  const planned = planVersion(given, history.versions);
  if (!planned.ok) return planned;
  const { version, files } = planned;
  const path = `${folderOf(name, version.version)}/${version.file}`;
  const kept = files.length === 0 ? readOwnBytes(join(options.to, path)) : undefined;
  if (files.length === 0 && (kept === undefined || sha256Of(kept) !== version.digest))
    return fail(
      'STORE_FAILED',
      `${path} is not what was published`,
      'Restore the file, or publish to an empty folder.',
    );
  const others = history.versions.filter((each) => each.version !== version.version);
  const [before] = history.versions;
  const state = before === undefined ? 'new' : before.version === version.version ? 'unchanged' : 'updated';
  return { ok: true, site: { given, audit: given.audit, state, versions: [version, ...others] }, files };
}

/** A skill for a site, and the files that it adds to it. */
interface AddedSkill {
  readonly site: SiteSkill;
  readonly files: readonly SiteFile[];
}
