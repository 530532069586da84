import { basename, dirname } from 'node:path';

import { MAX_SKILL_FILE_BYTES } from '../model/limits.ts';
import { isFromSource } from '../model/skill-source.ts';
import type { Skill } from '../model/skill.ts';
import { parseBody } from '../parse/parse-skill.ts';
import { realPath } from '../platform/files/files.ts';
import { readInside } from '../platform/files/inside.ts';
import type { Catalog } from './catalog.ts';
import { openFolderOf } from './locate.ts';

/** The instructions of a skill that was found; empty if they can no longer be read. */
export function readBody(skill: Skill, catalog?: Pick<Catalog, 'roots'>): string {
  const { file } = skill;
  if (isFromSource(skill)) {
    const content = catalog && openFolderOf(skill, catalog).read(basename(file), MAX_SKILL_FILE_BYTES);
    return content?.ok === true ? parseBody(content.bytes) : '';
  }
  const [dir, name] = [dirname(file), basename(file)];
  const options = { maxBytes: MAX_SKILL_FILE_BYTES };
  const first = readInside(dir, name, options);
  // Only a path without links is its own real path, and most are: it need not be resolved before.
  const content = first.ok ? first : readInside(realPath(dir) ?? dir, name, options);
  return content.ok ? parseBody(content.bytes) : '';
}
