import { LineCounter, parseDocument, type Document } from 'yaml';

import type { SkillsSection } from '../model/config.ts';
import { MAX_CONFIG_BYTES } from '../model/limits.ts';
import { knownSettings, skillsSection } from './schema.ts';

/** One `config.yaml`, understood or not; pure, so that its result can be remembered by the text alone. */
export type ParsedConfig =
  | { readonly ok: true; readonly section: SkillsSection; readonly unknown: readonly string[] }
  | { readonly ok: false; readonly line: number; readonly message: string };

export function parseConfig(text: string): ParsedConfig {
  if (Buffer.byteLength(text) > MAX_CONFIG_BYTES) return { ok: false, line: 1, message: TOO_LARGE };
  const lines = new LineCounter();
  const document = readDocument(text, lines);
  if (typeof document === 'string') return { ok: false, line: 1, message: document };
  const [error] = document.errors;
  if (error !== undefined) return { ok: false, line: lineAt(lines, error.pos[0]), message: error.message };
  const whole = toPlain(document);
  if (typeof whole === 'string') return { ok: false, line: 1, message: whole };
  if (whole.value === null || whole.value === undefined) return { ok: true, section: {}, unknown: [] };
  if (typeof whole.value !== 'object' || Array.isArray(whole.value))
    return { ok: false, line: 1, message: 'must be a mapping' };
  return parseSection(document, 'skills' in whole.value ? whole.value.skills : undefined, lines);
}

const TOO_LARGE = `is larger than ${MAX_CONFIG_BYTES} bytes`;

/** The document, or why there is none: the parser gives up on extreme nesting by running out of stack. */
function readDocument(text: string, lineCounter: LineCounter): Document.Parsed | string {
  try {
    return parseDocument(text, { lineCounter, prettyErrors: false });
  } catch (error) {
    if (error instanceof RangeError) return 'is nested too deeply';
    throw error;
  }
}

/** Its value, or why there is none: aliases to nothing and alias bombs show only here. */
function toPlain(document: Document): { readonly value: unknown } | string {
  try {
    return { value: document.toJS() };
  } catch (error) {
    if (error instanceof ReferenceError) return error.message;
    if (error instanceof RangeError) return 'is nested too deeply';
    throw error;
  }
}

function parseSection(document: Document, section: unknown, lines: LineCounter): ParsedConfig {
  const parsed = skillsSection.safeParse(section ?? {});
  if (parsed.success) {
    const unknown = Object.keys(parsed.data).filter((key) => !knownSettings.includes(key));
    return { ok: true, section: parsed.data, unknown };
  }
  const [issue] = parsed.error.issues;
  const path = ['skills', ...(issue?.path ?? [])];
  return {
    ok: false,
    line: lineOf(document, path, lines),
    message: `${path.join('.')}: ${issue?.message ?? 'is wrong'}`,
  };
}

/** The line of a setting, or of the closest thing around it that has one. */
function lineOf(document: Document, path: readonly PropertyKey[], lines: LineCounter): number {
  for (let length = path.length; length > 0; length -= 1) {
    const node = document.getIn(path.slice(0, length), true);
    const range = node !== null && typeof node === 'object' && 'range' in node ? node.range : undefined;
    if (Array.isArray(range) && typeof range[0] === 'number') return lineAt(lines, range[0]);
  }
  return 1;
}

function lineAt(lines: LineCounter, offset: number): number {
  return Math.max(1, lines.linePos(offset).line);
}
