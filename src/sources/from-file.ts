import { basename, dirname, resolve } from 'node:path';

import { MAX_SKILL_FILE_BYTES } from '../model/limits.ts';
import { fail } from '../model/outcome.ts';
import type { ParsedSkill } from '../model/skill.ts';
import { parseSkill, type ParseOutcome } from '../parse/parse-skill.ts';
import { realPath } from '../platform/files.ts';
import { readInside } from '../platform/inside.ts';

/** Reads one SKILL.md from disk: a skill, or why there is none. */
export function fromFile(path: string): ParseOutcome {
  const file = resolve(path);
  const dir = dirname(file);
  const content = readInside(realPath(dir) ?? dir, basename(file), { maxBytes: MAX_SKILL_FILE_BYTES });
  if (content.ok) return parseSkill(content.bytes, { dir, file });
  const code = content.code === 'RESOURCE_NOT_FOUND' ? 'SKILL_NOT_FOUND' : 'STORE_FAILED';
  const failure = fail(code, `${file}: ${content.message}`);
  return {
    ...failure,
    diagnostics: [{ code: 'FILE_UNREADABLE', severity: 'error', path: file, message: content.message }],
  };
}

/** The instructions of a skill; empty where they cannot be read any more. */
export function readBody({ file }: Pick<ParsedSkill, 'file'>): string {
  const read = fromFile(file);
  return read.ok ? read.body : '';
}
