import { basename, dirname } from 'node:path';

import { MAX_SKILL_FILE_BYTES } from '../model/limits.ts';
import type { SkillDefinition } from '../model/skill.ts';
import { parseBody } from '../parse/parse-skill.ts';
import { realPath } from '../platform/files/files.ts';
import { readInside } from '../platform/files/inside.ts';

/** The instructions of a skill that was found; empty if they can no longer be read. */
export function readBody({ file }: Pick<SkillDefinition, 'file'>): string {
  const dir = dirname(file);
  const content = readInside(realPath(dir) ?? dir, basename(file), { maxBytes: MAX_SKILL_FILE_BYTES });
  return content.ok ? parseBody(content.bytes) : '';
}
