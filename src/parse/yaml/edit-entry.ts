import { isDeepStrictEqual } from 'node:util';

import type { Document } from 'yaml';

import { loadYaml } from '../lazy-packages.cjs';
import { readPlainYaml } from './plain-yaml.ts';
import { findComments, locateFields } from './yaml-spans.ts';

/**
 * Edits one top-level entry of a valid YAML mapping, or adds it. `edit` changes a document that holds the entry alone, or
 * the whole mapping if the entry cannot be cut out. The rest of the text stays byte for byte in the first case, and in
 * meaning in the second. Undefined if the edit would change another entry or lose a comment.
 */
export function editEntry(text: string, key: string, edit: (document: Document) => void): string | undefined {
  const { parseDocument } = loadYaml();
  const range = findEntry(text, key) ?? { start: 0, end: text.length };
  const [before, after] = [text.slice(0, range.start), text.slice(range.end)];
  const lineEnd = text.includes('\r\n') ? '\r\n' : '\n';
  const given = text.slice(range.start, range.end).replaceAll('\r\n', '\n');
  const document = parseDocument(given);
  if (document.errors.length > 0) return undefined;
  edit(document);
  const style = { lineWidth: 0, flowCollectionPadding: /[[{] /.test(given) };
  const entry = document.contents === null ? '' : document.toString(style).trimEnd();
  const opening = before === '' || before.endsWith('\n') ? '' : lineEnd;
  const closing = entry === '' || /^\r?\n/.test(after) ? '' : lineEnd;
  const edited = `${before}${opening}${entry.replaceAll('\n', lineEnd)}${closing}${after}`;
  return keepsTheRest(text, edited, key) ? edited : undefined;
}

interface TextRange {
  readonly start: number;
  readonly end: number;
}

/** Where the entry is, or would be; undefined if it cannot be cut out of the rest. */
function findEntry(text: string, key: string): TextRange | undefined {
  // These markers end a document before its text ends.
  if (/^(?:---|\.\.\.|%|\?)/m.test(text)) return undefined;
  const spans = locateFields(text);
  if (spans === undefined) return undefined;
  const span = spans.find((candidate) => candidate.key === key);
  if (span === undefined) return { start: text.length, end: text.length };
  const entry = dropMarginComments(text.slice(span.start, span.end));
  // Anchors and aliases tie entries together.
  return /[&*]/.test(entry) ? undefined : { start: span.start, end: span.start + entry.length };
}

/** Comments at the margin behind an entry belong to the next one. */
function dropMarginComments(entry: string): string {
  const lines = entry.split('\n');
  while (lines.length > 1 && /^(?:#.*|\s*)$/.test(lines.at(-1) ?? '')) lines.pop();
  return lines.join('\n').replace(/\r$/, '');
}

function keepsTheRest(before: string, after: string, key: string): boolean {
  const entries = otherEntries(after, key);
  if (entries === undefined || !isDeepStrictEqual(otherEntries(before, key), entries)) return false;
  const kept = new Set(commentsIn(after));
  return commentsIn(before).every((comment) => kept.has(comment));
}

/** Without the space behind `#`, which writing a document may change. */
function commentsIn(text: string): readonly string[] {
  return findComments(text).map((comment) => comment.slice(1).trim());
}

/** Undefined if the text is not valid YAML. */
function otherEntries(text: string, key: string): readonly unknown[] | undefined {
  const whole = readPlainYaml(text, Number.POSITIVE_INFINITY);
  if (!whole.ok) return undefined;
  const entries = typeof whole.value === 'object' && whole.value !== null ? Object.entries(whole.value) : [];
  return entries.filter(([name]) => name !== key);
}
