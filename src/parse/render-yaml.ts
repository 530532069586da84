import type { FrontmatterMap, FrontmatterValue } from '../model/skill.ts';
import { isMap } from './yaml.ts';

/**
 * One field as lines of YAML, without a line end behind them. Whatever the value holds, every YAML reader reads the same
 * text out of it again: what could be taken for something else is quoted, and what nobody sees is spelled out.
 */
export function renderField(key: string, value: FrontmatterValue): readonly string[] {
  return renderEntry(key, value, '');
}

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
  if (typeof value === 'string') return PLAIN_ANYWHERE.test(value) ? renderText(value) : quote(value);
  return isMap(value) ? renderFlowMap(value) : `[${value.map(renderFlow).join(', ')}]`;
}

function renderFlowMap(map: FrontmatterMap): string {
  return `{${[...map].map(([key, value]) => `${quote(key)}: ${renderFlow(value)}`).join(', ')}}`;
}

/** Words that no reader takes for anything but text; what is doubtful is quoted. */
const PLAIN = /^[\p{L}_][\p{L}\p{N} _.,;()/'&+*!?=-]*$/u;
const PLAIN_ANYWHERE = /^[\p{L}_][\p{L}\p{N} _.()/'&+*!?=-]*$/u;
/** What YAML 1.1 or 1.2 takes for a truth value or for nothing. */
const RESERVED = /^(?:null|true|false|yes|no|on|off|y|n)$/i;

function renderText(text: string): string {
  const isPlain = PLAIN.test(text) && !text.endsWith(' ') && !RESERVED.test(text);
  return isPlain ? text : quote(text);
}

/** Joiners and selectors stay: emoji and several scripts are written with them. */
const UNSEEN = /(?!\u200C|\u200D|\uFE0E|\uFE0F)[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cn}\p{Default_Ignorable_Code_Point}]/gu;

/** JSON is YAML, but for what JSON leaves as it is and YAML readers refuse or people do not see. */
function quote(text: string): string {
  return JSON.stringify(text).replaceAll(UNSEEN, spell);
}

function spell(character: string): string {
  const hex = (character.codePointAt(0) ?? 0).toString(16).toUpperCase();
  return hex.length > 4 ? `\\U${hex.padStart(8, '0')}` : `\\u${hex.padStart(4, '0')}`;
}
