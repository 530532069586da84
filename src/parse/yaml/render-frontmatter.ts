import type { FrontmatterValue } from '../../model/skill.ts';
import { renderField } from './render-yaml.ts';

/** Deeper values are refused: nothing of a skill needs them, and they could be endless. */
const MAX_DEPTH = 16;

/** A SKILL.md with these fields, which are JSON values. Fields that are undefined are left out. */
export function renderSkillText(fields: Readonly<Record<string, unknown>>, body: string): string {
  const lines = Object.entries(fields).flatMap(([key, value]) =>
    value === undefined ? [] : renderField(key, toFrontmatter(value, 0)),
  );
  return `---\n${lines.map((line) => `${line}\n`).join('')}---\n${body === '' ? '' : `\n${body.trim()}\n`}`;
}

/** Throws a TypeError for a value that no frontmatter can have. */
function toFrontmatter(value: unknown, depth: number): FrontmatterValue {
  if (depth > MAX_DEPTH) throw new TypeError('a field of the frontmatter is nested too deeply');
  if (value === null || typeof value === 'string') return value;
  if (typeof value === 'number' || typeof value === 'boolean') return String(value);
  if (Array.isArray(value)) return value.map((item: unknown) => toFrontmatter(item, depth + 1));
  if (typeof value !== 'object') throw new TypeError(`a field of the frontmatter is a ${typeof value}`);
  return new Map(
    Object.entries(value).flatMap(([key, item]) =>
      item === undefined ? [] : [[key, toFrontmatter(item, depth + 1)] as const],
    ),
  );
}
