import { basename, dirname } from 'node:path';

import { MAX_SKILL_FILE_BYTES } from '../../model/limits.ts';
import { fail, type Outcome } from '../../model/outcome.ts';
import type { FrontmatterMap } from '../../model/skill.ts';
import { normalizeText } from '../../parse/frontmatter.ts';
import { readFrontmatter } from '../../parse/read-frontmatter.ts';
import { readInside } from '../../platform/files/inside.ts';

/** A SKILL.md as far as hosts look at it. */
export interface SkillText {
  readonly fields: FrontmatterMap;
  readonly body: string;
  readonly bytes: number;
  readonly hasFrontmatter: boolean;
  /** The first fault of the YAML; undefined if every reader accepts it. */
  readonly fault?: string | undefined;
  /** True if `fields` could be read in spite of the fault. */
  readonly isMended: boolean;
}

/** Reads the SKILL.md at a real path. A link to a file of another name is not read: it may lead to anything. */
export function readSkillText(realFile: string): Outcome<SkillText> {
  const name = basename(realFile);
  if (name.toLowerCase() !== 'skill.md') return fail('PATH_REFUSED', `it is a link to ${name}, which is not read here`);
  const read = readInside(dirname(realFile), name, { maxBytes: MAX_SKILL_FILE_BYTES });
  if (!read.ok) return read;
  const reading = readFrontmatter(normalizeText(read.bytes.toString()));
  return {
    ok: true,
    fields: reading.map ?? new Map(),
    body: reading.split.body,
    bytes: read.bytes.length,
    hasFrontmatter: reading.split.kind === 'closed',
    fault: reading.faults[0]?.message,
    isMended: reading.map !== undefined,
  };
}

/** A field as trimmed text; undefined if it is absent, empty or no text. */
export function fieldText(fields: FrontmatterMap, key: string): string | undefined {
  const value = fields.get(key);
  return typeof value === 'string' ? value.trim() || undefined : undefined;
}

/** A field as a truth value; undefined if it is neither. */
export function fieldFlag(fields: FrontmatterMap, key: string): boolean | undefined {
  const text = fieldText(fields, key)?.toLowerCase();
  return text === 'true' ? true : text === 'false' ? false : undefined;
}
