import { basename } from 'node:path';

import type { Audit } from '../audit/audit-files.ts';
import { auditContents } from '../audit/audit-repository.ts';
import { judgeFindings, allowRules, refuseFindings, refuseSecrets } from '../audit/policy.ts';
import { openSkillPath } from '../author/skill-path.ts';
import type { RefusedEntry } from '../model/folder.ts';
import { listSome } from '../model/list-some.ts';
import type { NextStep } from '../model/next-step.ts';
import { fail, type Failure, type Outcome } from '../model/outcome.ts';
import type { SkillDefinition } from '../model/skill.ts';
import type { TargetId } from '../model/target-id.ts';
import { openFilesFolder } from '../parse/archives/files-folder.ts';
import { digestFiles, type FileContent, type SkillDigest } from '../parse/digest.ts';
import { parseSkill } from '../parse/parse-skill.ts';
import { findSkillFile, SKILL_FILE } from '../parse/skill-file.ts';
import { validateFolder } from '../parse/strict/validate.ts';
import { readGivenFiles } from './given-files.ts';
import { judgeFolder } from './targets/judge-for-targets.ts';

/** A valid skill of this machine, as others get it. */
export interface GivenSkill extends SkillContents {
  readonly audit: Audit;
  /** Entries of its folder that are left out on purpose. */
  readonly leftOut: readonly RefusedEntry[];
}

/** A valid skill in memory. */
export interface SkillContents extends SkillDigest {
  readonly skill: SkillDefinition;
  /** The instructions. */
  readonly body: string;
  readonly contents: readonly FileContent[];
}

export interface GivingOptions {
  /** Targets that must not refuse it. */
  readonly for?: readonly TargetId[] | undefined;
  /** Ids or names of audit rules whose findings do not stop it. */
  readonly allow?: readonly string[] | undefined;
}

/**
 * Reads a skill to give it to others, given its directory or its SKILL.md. Fails if it is not valid, if a target refuses it, if
 * it contains secrets, or if its audit is critical. The name of the folder does not count: others do not get it.
 */
export async function readGivenSkill(path: string, options: GivingOptions = {}): Promise<Outcome<GivenSkill>> {
  const folder = openSkillPath(path);
  if (folder.state() !== 'directory') return fail('SKILL_NOT_FOUND', `${folder.dir} is not a directory`);
  const read = readGivenFiles(folder.dir);
  if (!read.ok) return read;
  const judged = judgeContents(folder.dir, read.files, options);
  if (!judged.ok) return judged;
  const audit = await auditContents(judged.contents);
  const { allow = [] } = options;
  const refused = refuseSecrets(judged.skill.name, audit.findings, allow) ?? refuseCritical(folder.dir, audit, allow);
  return refused ?? { ...judged, audit, leftOut: read.leftOut };
}

/** The gate for skills that leave this machine: critical findings, unless their rules are allowed. */
export function refuseCritical(dir: string, { findings }: Audit, allow: readonly string[]): Failure | undefined {
  const { refused } = judgeFindings(findings, { failOn: 'critical', allow });
  if (refused.length === 0) return undefined;
  const next: NextStep = { either: [{ do: 'audit', path: dir }, allowRules(refused)] };
  return { ...refuseFindings(basename(dir), refused), next };
}

/** Parses, validates and hashes the files of a skill. `dir` stands for it in messages. */
export function judgeContents(
  dir: string,
  contents: readonly FileContent[],
  { for: targets = [] }: GivingOptions = {},
): Outcome<SkillContents> {
  const file = findSkillFile(contents.map(({ path }) => path));
  if (file === undefined) return fail('SKILL_NOT_FOUND', `${dir} is not a skill: it has no ${SKILL_FILE}`);
  if (file !== SKILL_FILE)
    return fail('SKILL_INVALID', `${dir}: other tools only find ${SKILL_FILE}`, {
      advice: `Rename ${file} to ${SKILL_FILE}.`,
    });
  const text = contents.find((each) => each.path === file)?.bytes ?? new Uint8Array();
  const parsed = parseSkill(text, { dir });
  const name = parsed.ok && parsed.skill.isNamed ? parsed.skill.name : basename(dir);
  const refusal = findRefusal(dir, openFilesFolder(name, contents), targets);
  if (refusal !== undefined) return refusal;
  const digest = digestFiles(contents);
  if (!parsed.ok) return parsed;
  if (!digest.ok) return digest;
  return { ...digest, skill: parsed.skill, body: parsed.body, contents };
}

/** Undefined if the skill does not say. */
export function findVersion({ version, defaults }: SkillDefinition): string | undefined {
  return defaults?.includes('version') === true ? undefined : version;
}

function findRefusal(
  dir: string,
  folder: ReturnType<typeof openFilesFolder>,
  targets: readonly TargetId[],
): Outcome<never> | undefined {
  const { errors } = validateFolder(folder);
  if (errors.length > 0) {
    const next: NextStep = {
      either: [
        { do: 'validate', path: dir },
        { do: 'fix', path: dir },
      ],
    };
    return fail('SKILL_INVALID', `${dir} is not valid: ${listMessages(errors)}`, next);
  }
  const refused = judgeFolder(folder, { for: targets }).filter(({ verdict }) => verdict === 'refuses');
  if (refused.length === 0) return undefined;
  const reasons = refused.flatMap(({ title, findings }) =>
    findings.flatMap(({ effect, message }) => (effect === 'refuses' ? [{ message: `${title}: ${message}` }] : [])),
  );
  const steps = refused.flatMap(({ findings }) => findings.flatMap(({ next }) => next ?? []));
  return fail('SKILL_INVALID', `${dir} is refused by ${listMessages(reasons)}`, steps[0]);
}

function listMessages(findings: readonly { readonly message: string }[]): string {
  return listSome(
    findings.map(({ message }) => message),
    { most: 3, separator: '; ' },
  );
}
