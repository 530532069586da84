import { extname } from 'node:path';

import type { FolderEntry } from '../../model/folder.ts';
import { listSome } from '../../model/list-some.ts';
import { SKILL_FILE } from '../../parse/skill-file.ts';
import { judgeBySpecification } from './specification.ts';
import { refuses, type GivingTarget, type TargetFinding, type TargetSkill } from './target.ts';

/** Seen in the check of Claude Code 2.1.325 before it uploads. */
const MAX_FILES = 200;
const MAX_SKILL_FILE = 1_000_000;
const PATH = /^[\p{L}\p{M}\p{N} _./(),-]+$/u;
const RESERVED = /claude|anthropic/i;
const TAG = /<[^>]*>/;
const ARCHIVES = new Set(['.zip', '.skill']);

export const claudeUpload: GivingTarget = {
  id: 'claude.ai',
  title: 'claude.ai upload',
  seenIn: 'Claude Code 2.1.325',
  judge: (skill) => [...judgeFields(skill), ...judgeFiles(skill)],
};

/** Everything that the specification forbids, and more. */
function judgeFields({ folder, fields }: TargetSkill): readonly TargetFinding[] {
  const findings = [...judgeBySpecification(folder)];
  const [name, description] = [fields.get('name'), fields.get('description')];
  if (typeof name === 'string' && RESERVED.test(name))
    findings.push(refuses('the name contains "claude" or "anthropic"', { advice: 'Rename it.' }));
  if (typeof description === 'string' && TAG.test(description))
    findings.push(refuses('the description contains text in angle brackets', { advice: 'Write it without < and >.' }));
  return findings;
}

function judgeFiles({ folder, file, bytes }: TargetSkill): readonly TargetFinding[] {
  const { files } = folder.files();
  const findings: TargetFinding[] = [];
  if (file !== SKILL_FILE)
    findings.push(refuses(`its file is called ${file}`, { advice: `Rename it to ${SKILL_FILE}.` }));
  if (bytes.length > MAX_SKILL_FILE)
    findings.push(
      refuses(`${SKILL_FILE} has more than ${MAX_SKILL_FILE} bytes`, { advice: 'Move parts of it into other files.' }),
    );
  if (files.length > MAX_FILES) findings.push(refuses(`it has ${files.length} files; the limit is ${MAX_FILES}`));
  const unfit = files.filter(({ path }) => !PATH.test(path));
  if (unfit.length > 0)
    findings.push(refuses(`characters in the names of files: ${list(unfit)}`, { advice: 'Rename them.' }));
  const archives = files.filter(({ path }) => ARCHIVES.has(extname(path).toLowerCase()));
  if (archives.length > 0)
    findings.push(refuses(`it contains archives: ${list(archives)}`, { advice: 'Unpack or remove them.' }));
  return findings;
}

function list(files: readonly FolderEntry[]): string {
  return listSome(
    files.map(({ path }) => JSON.stringify(path)),
    { most: 3 },
  );
}
