import { basename, dirname } from 'node:path';

import { MAX_SKILL_FILE_BYTES } from '../model/limits.ts';
import type { SkillDefinition } from '../model/skill.ts';
import { parseBody } from '../parse/parse-skill.ts';
import { realPath } from '../platform/files/files.ts';
import { readInside } from '../platform/files/inside.ts';

/** The instructions of a skill that was found; empty if they can no longer be read. */
export function readBody({ file }: Pick<SkillDefinition, 'file'>): string {
  const [dir, name] = [dirname(file), basename(file)];
  const options = { maxBytes: MAX_SKILL_FILE_BYTES };
  const first = readInside(dir, name, options);
  // Only a path without links is its own real path, and most are: it need not be resolved before.
  const content = first.ok ? first : readInside(realPath(dir) ?? dir, name, options);
  return content.ok ? parseBody(content.bytes) : '';
}
