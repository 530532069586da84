import { basename, join } from 'node:path';

import { auditRepository } from '../../audit/audit-repository.ts';
import { findInRepository } from '../../install/origins/find-skills.ts';
import { MAX_SKILL_FILE_BYTES } from '../../model/limits.ts';
import { compareText } from '../../model/order.ts';
import { fail, type Outcome } from '../../model/outcome.ts';
import { parseSkill } from '../../parse/parse-skill.ts';
import { openFolderRepository } from '../../platform/repository/folder-repository.ts';
import { refuseCritical } from '../given-skill.ts';

/** A skill of the repository that is made installable. */
export interface EmittedSkill {
  readonly name: string;
  /** Its folder in the repository, with `/`. */
  readonly path: string;
  /** Kept from models by `disable-model-invocation`. */
  readonly isHidden: boolean;
  /** Bytes of its instructions. */
  readonly bodyBytes: number;
}

/** The skills in the usual places of a folder, as `install` finds them; sorted by path. Fails if there is none, or if the audit of one is critical. */
export async function readRepositorySkills(
  realDir: string,
  allow: readonly string[],
): Promise<Outcome<{ readonly skills: readonly EmittedSkill[] }>> {
  const opened = openFolderRepository(realDir);
  if (!opened.ok) return opened;
  const { repository } = opened;
  const found = await findInRepository(repository, { name: basename(realDir), path: undefined });
  if (!found.ok) return found;
  const skills: EmittedSkill[] = [];
  for (const { name, path, file } of found.skills.filter(({ isElsewhere }) => isElsewhere !== true)) {
    const read = await repository.readBlob(file, MAX_SKILL_FILE_BYTES);
    const parsed = read.ok ? parseSkill(read.bytes, { dir: `/${path}` }) : read;
    if (!parsed.ok) continue;
    const audited = await auditRepository(repository, path);
    if (!audited.ok) return audited;
    const refused = refuseCritical(join(realDir, path), audited.audit, allow);
    if (refused !== undefined) return refused;
    skills.push({ name, path, isHidden: parsed.skill.hidden, bodyBytes: Buffer.byteLength(parsed.body) });
  }
  if (skills.length === 0)
    return fail('SKILL_NOT_FOUND', `no skills in ${realDir}`, {
      advice: 'Put them into skills/<name>/SKILL.md.',
    });
  return { ok: true, skills: skills.sort((a, b) => compareText(a.path, b.path)) };
}
