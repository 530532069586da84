import { once } from '../../model/once.ts';
import type { FrontmatterMap, FrontmatterValue } from '../../model/skill.ts';
import { isMap } from './examine-yaml.ts';

/**
 * Renders one field as lines of YAML, without a final line end. Every YAML reader reads the same text back: ambiguous text
 * is quoted, and invisible characters are escaped.
 */
export function renderField(key: string, value: FrontmatterValue): readonly string[] {
  if (FLAGS.has(key) && (value === 'true' || value === 'false')) return [`${key}: ${value}`];
  return renderEntry(key, value, '');
}

/** Fields whose `true` is a boolean; other agents read a quoted one differently. */
const FLAGS = new Set(['always_present', 'alwaysApply']);

function renderEntry(key: string, value: FrontmatterValue, indent: string): readonly string[] {
  const start = `${indent}${renderText(key)}:`;
  if (value === null) return [start];
  if (typeof value === 'string') return [`${start} ${renderText(value)}`];
  if (isMap(value)) {
    if (value.size === 0) return [`${start} {}`];
    return [start, ...[...value].flatMap(([name, item]) => renderEntry(name, item, `${indent}  `))];
  }
  const oneLine = `${start} ${renderFlow(value)}`;
  const isShort = value.every((item) => typeof item === 'string') && oneLine.length <= MAX_LINE_LENGTH;
  if (isShort || value.length === 0) return [oneLine];
  return [start, ...value.map((item) => `${indent}  - ${renderFlow(item)}`)];
}

const MAX_LINE_LENGTH = 100;

function renderFlow(value: FrontmatterValue): string {
  if (value === null) return 'null';
  if (typeof value === 'string') return plainAnywhere().test(value) ? renderText(value) : quote(value);
  return isMap(value) ? renderFlowMap(value) : `[${value.map(renderFlow).join(', ')}]`;
}

function renderFlowMap(map: FrontmatterMap): string {
  return `{${[...map].map(([key, value]) => `${quote(key)}: ${renderFlow(value)}`).join(', ')}}`;
}

/** Text that every parser reads as text; anything else is quoted. */
const plain = once(() => /^[\p{L}_][\p{L}\p{N} _.,;()/'&+*!?=-]*$/u);
const plainAnywhere = once(() => /^[\p{L}_][\p{L}\p{N} _.()/'&+*!?=-]*$/u);
/** Words that YAML 1.1 or 1.2 reads as a boolean or null. */
const RESERVED = /^(?:null|true|false|yes|no|on|off|y|n)$/i;

/** A URL, path or name on its own line; quoted less often than other fields. */
export function renderAddress(text: string): string {
  const isPlain = /^[a-z][\w./@+-]*(?::[\w./@+-]+)*$/i.test(text) && !RESERVED.test(text);
  return isPlain ? text : quote(text);
}

function renderText(text: string): string {
  const isPlain = plain().test(text) && !text.endsWith(' ') && !RESERVED.test(text);
  return isPlain ? text : quote(text);
}

/** Joiners and selectors stay: emoji and several scripts need them. */
const invisible = once(
  () => /(?!\u200C|\u200D|\uFE0E|\uFE0F)[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cn}\p{Default_Ignorable_Code_Point}]/gu,
);

/** JSON is YAML, except for characters that JSON leaves alone and YAML readers refuse or people cannot see. */
function quote(text: string): string {
  return JSON.stringify(text).replaceAll(invisible(), escape);
}

function escape(character: string): string {
  const hex = (character.codePointAt(0) ?? 0).toString(16).toUpperCase();
  return hex.length > 4 ? `\\U${hex.padStart(8, '0')}` : `\\u${hex.padStart(4, '0')}`;
}
