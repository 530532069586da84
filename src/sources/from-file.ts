import { basename, dirname, join, resolve } from 'node:path';

import { checkCall, aString } from '../model/check-arguments.ts';
import { freezeDeep } from '../model/freeze.ts';
import { MAX_SKILL_FILE_BYTES } from '../model/limits.ts';
import { fail } from '../model/outcome.ts';
import type { Skill } from '../model/skill.ts';
import { parseSkill, type ParseOutcome } from '../parse/parse-skill.ts';
import { readEnvironment } from '../platform/environment.ts';
import { realPath } from '../platform/files/files.ts';
import { readInside } from '../platform/files/inside.ts';
import { placeSkill, type Placement } from './place-skill.ts';

/** A skill with its instructions, or why the file gives none. */
export type FileOutcome =
  | { readonly ok: true; readonly skill: Skill; readonly body: string }
  | Extract<ParseOutcome, { readonly ok: false }>;

/**
 * Reads one SKILL.md from disk; the path may begin with `~/`. The skill fits wherever a list of skills does, with the source
 * `given`. A failure says why the file gives no skill.
 */
export function fromFile(path: string): FileOutcome {
  checkCall('fromFile(path)', { path: [path, aString] });
  const file = /^~[/\\]/.test(path) ? join(readEnvironment().home, path.slice(1)) : resolve(path);
  const dir = dirname(file);
  const content = readInside(realPath(dir) ?? dir, basename(file), { maxBytes: MAX_SKILL_FILE_BYTES });
  if (content.ok) {
    const parsed = parseSkill(content.bytes, { dir, file });
    return parsed.ok ? { ...parsed, skill: freezeDeep(placeSkill(parsed.skill, GIVEN, content.stamp)) } : parsed;
  }
  const code = content.code === 'RESOURCE_NOT_FOUND' ? 'SKILL_NOT_FOUND' : 'STORE_FAILED';
  const failure = fail(code, `${file}: ${content.message}`);
  return {
    ...failure,
    diagnostics: [{ code: 'FILE_UNREADABLE', severity: 'error', path: file, message: content.message }],
  };
}

const GIVEN: Placement = { source: 'given', group: 'Given', level: 'user' };
