import { basename, dirname, join, resolve } from 'node:path';

import { MAX_SKILL_FILE_BYTES } from '../model/limits.ts';
import { fail } from '../model/outcome.ts';
import { parseSkill, type ParseOutcome } from '../parse/parse-skill.ts';
import { readEnvironment } from '../platform/environment.ts';
import { realPath } from '../platform/files/files.ts';
import { readInside } from '../platform/files/inside.ts';

/** Reads one SKILL.md from disk; the path may begin with `~/`. A failure says why it gives no skill. */
export function fromFile(path: string): ParseOutcome {
  const file = /^~[/\\]/.test(path) ? join(readEnvironment().home, path.slice(1)) : resolve(path);
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
