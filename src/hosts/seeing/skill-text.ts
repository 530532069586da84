import { basename, dirname } from 'node:path';

import { MAX_SKILL_FILE_BYTES } from '../../model/limits.ts';
import { fail, type Outcome } from '../../model/outcome.ts';
import type { FrontmatterMap } from '../../model/skill.ts';
import { readInside } from '../../platform/files/inside.ts';
import { readHostFields, type Dialect } from './dialect.ts';

/** A SKILL.md as a host reads it. */
export interface SkillText {
  readonly fields: FrontmatterMap;
  /** Fields whose value is in quotes or a block, and so is a text whatever it says. */
  readonly quoted: ReadonlySet<string>;
  readonly body: string;
  readonly bytes: number;
  readonly hasFrontmatter: boolean;
  /** Why the frontmatter cannot be read; `fields` is empty then. */
  readonly fault?: string | undefined;
}

/** Reads the SKILL.md at a real path. A link to a file of another name is not read: it may lead to anything. */
export function readSkillText(realFile: string, dialect: Dialect): Outcome<SkillText> {
  const name = basename(realFile);
  if (name.toLowerCase() !== 'skill.md') return fail('PATH_REFUSED', `it is a link to ${name}, which is not read here`);
  const read = readInside(dirname(realFile), name, { maxBytes: MAX_SKILL_FILE_BYTES });
  if (!read.ok) return read;
  return { ok: true, ...parseSkillText(read.bytes, dialect) };
}

/** Parses the bytes of a SKILL.md. */
export function parseSkillText(content: Uint8Array, dialect: Dialect): SkillText {
  return { bytes: content.length, ...parse(Buffer.from(content).toString(), dialect) };
}

function parse(text: string, dialect: Dialect): Omit<SkillText, 'bytes'> {
  const split = dialect.split(text);
  if (split === undefined) return { fields: new Map(), quoted: new Set(), body: text, hasFrontmatter: false };
  const yaml = split.yaml.replaceAll(/\r\n?/g, '\n');
  const read = readHostFields(yaml, dialect);
  const fields = read.ok ? read.fields : new Map();
  const fault = read.ok ? undefined : read.because;
  return { fields, quoted: findQuoted(yaml), body: split.body, hasFrontmatter: true, fault };
}

/** A field as trimmed text; undefined if it is absent, empty or no text. */
export function fieldText(fields: FrontmatterMap, key: string): string | undefined {
  const value = fields.get(key);
  return typeof value === 'string' ? value.trim() || undefined : undefined;
}

/** A field as it is written; undefined if it is absent or no text. */
export function rawText(fields: FrontmatterMap, key: string): string | undefined {
  const value = fields.get(key);
  return typeof value === 'string' ? value : undefined;
}

/** The fields of this YAML whose value is in quotes or a block. */
export function findQuoted(yaml: string): ReadonlySet<string> {
  return new Set([...yaml.matchAll(/^([\w-]+):[ \t]+["'|>]/gm)].map(([, key = '']) => key));
}

/** Would YAML 1.2 read this field as a number, a truth value or nothing? */
export function isTyped({ fields, quoted }: Pick<SkillText, 'fields' | 'quoted'>, key: string): boolean {
  const text = rawText(fields, key);
  if (text === undefined || quoted.has(key)) return false;
  return /^(?:~|null|true|false|[-+]?(?:\d+\.?\d*|\.\d+)(?:e[-+]?\d+)?|0x[\da-f]+|0o[0-7]+)$/i.test(text);
}

/** A field as a truth value; undefined if it is neither. */
export function fieldFlag(fields: FrontmatterMap, key: string): boolean | undefined {
  const text = fieldText(fields, key)?.toLowerCase();
  return text === 'true' ? true : text === 'false' ? false : undefined;
}
