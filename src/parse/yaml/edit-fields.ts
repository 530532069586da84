import { isDeepStrictEqual } from 'node:util';

import { fail, type Outcome } from '../../model/outcome.ts';
import type { FrontmatterMap, FrontmatterValue } from '../../model/skill.ts';
import { toPlain } from '../fields.ts';
import { isMap } from './examine-yaml.ts';
import { readYaml } from './read-yaml.ts';
import { renderField } from './render-yaml.ts';
import { findComments, locateFields, type FieldSpan } from './yaml-spans.ts';

/** New values of fields; `undefined` removes a field. */
export type FieldChanges = ReadonlyMap<string, FrontmatterValue | undefined>;

/**
 * Changes fields of valid frontmatter, given without its fences. Other fields, comments, blank lines and the order stay
 * byte for byte, and so does a field that already has its value. New fields come last.
 */
export function editFields(yaml: string, changes: FieldChanges): Outcome<{ readonly yaml: string }> {
  const { map, faults } = readYaml(yaml);
  if (map === undefined) return fail('PARSE_FAILED', faults[0]?.message ?? 'the frontmatter cannot be read');
  const needed = new Map([...changes].filter(([key, value]) => !isSame(map.get(key), value)));
  if (needed.size === 0) return { ok: true, yaml };
  for (const mayExtend of [true, false]) {
    const edited = editLines(yaml, needed, { mayExtend });
    if (edited !== undefined && isAsWanted(edited, map, needed)) return { ok: true, yaml: edited };
  }
  return fail('PARSE_FAILED', 'the frontmatter cannot be edited safely', {
    advice: 'Edit it by hand.',
  });
}

/** Removes repeated fields with the same value. Repeated fields that differ stay: it is unclear which one is meant. */
export function dropRepeated(yaml: string): string {
  const { map } = readYaml(yaml);
  const seen = new Set<string>();
  const repeated = (locateFields(yaml) ?? []).filter((span) => {
    const isRepeated = seen.has(span.key);
    seen.add(span.key);
    return isRepeated && isSame(readYaml(yaml.slice(span.start, span.end)).map?.get(span.key), map?.get(span.key));
  });
  return repeated
    .toReversed()
    .reduce((text, span) => changeSpan(text, span, { value: undefined, lineEnd: '\n', mayExtend: false }), yaml);
}

function isSame(a: FrontmatterValue | undefined, b: FrontmatterValue | undefined): boolean {
  if (a === undefined || b === undefined) return a === b;
  return isDeepStrictEqual(a, b);
}

/** Is every field as it was or as wanted? */
function isAsWanted(edited: string, before: FrontmatterMap, changes: FieldChanges): boolean {
  const wanted = new Map<string, FrontmatterValue>(before);
  for (const [key, value] of changes) {
    if (value === undefined) wanted.delete(key);
    else wanted.set(key, value);
  }
  const { map } = readYaml(edited);
  return map !== undefined && isDeepStrictEqual(toPlain(map), toPlain(wanted));
}

interface Way {
  /** Add lines to a mapping that only grows, instead of rewriting it? */
  readonly mayExtend: boolean;
}

/** Undefined if the fields share lines, as in braces. */
function editLines(yaml: string, changes: FieldChanges, { mayExtend }: Way): string | undefined {
  const located = locateFields(yaml);
  if (located === undefined) return undefined;
  const lineEnd = yaml.includes('\r\n') ? '\r\n' : '\n';
  // The first of repeated fields is used.
  const spans = new Map(located.toReversed().map((span) => [span.key, span]));
  // From the end to the beginning, so that earlier offsets stay valid.
  const old = [...spans.values()].filter(({ key }) => changes.has(key)).sort((a, b) => b.start - a.start);
  const text = old.reduce(
    (before, span) => changeSpan(before, span, { value: changes.get(span.key), lineEnd, mayExtend }),
    yaml,
  );
  const added = [...changes].flatMap(([key, value]) =>
    spans.has(key) || value === undefined ? [] : renderField(key, value),
  );
  const opening = added.length > 0 && /[^\n]$/.test(text) ? lineEnd : '';
  return `${text}${opening}${added.map((line) => `${line}${lineEnd}`).join('')}`;
}

interface Change extends Way {
  /** Undefined: remove the field. */
  readonly value: FrontmatterValue | undefined;
  readonly lineEnd: string;
}

/** Keeps every comment: those of removed lines get lines of their own; one behind a changed value stays there. */
function changeSpan(text: string, span: FieldSpan, { value, lineEnd, mayExtend }: Change): string {
  const { key, start, end } = span;
  const lineStop = endOfLine(text, end);
  const before = text.slice(0, start);
  const isWhole = text[end - 1] === '\n';
  const kept = (piece: string): string =>
    findComments(piece)
      .map((comment) => `${comment}${lineEnd}`)
      .join('');
  if (value === undefined) return `${before}${kept(text.slice(start, lineStop))}${text.slice(lineStop)}`;
  const extension = !mayExtend ? undefined : findExtension(text.slice(start, end), key, value);
  if (extension !== undefined) {
    const old = text.slice(start, lineStop);
    const lines = extension.map((line) => `${line}${lineEnd}`).join('');
    return `${before}${old}${old.endsWith('\n') ? '' : lineEnd}${lines}${text.slice(lineStop)}`;
  }
  const rendered = renderField(key, value).join(lineEnd);
  return `${before}${kept(text.slice(start, end))}${rendered}${isWhole ? lineEnd : ''}${text.slice(end)}`;
}

function endOfLine(text: string, end: number): number {
  if (text[end - 1] === '\n') return end;
  const at = text.indexOf('\n', end);
  return at === -1 ? text.length : at + 1;
}

/** The lines to add if a mapping in block style only grows; undefined otherwise. */
function findExtension(old: string, key: string, value: FrontmatterValue): readonly string[] | undefined {
  const was = readYaml(old).map?.get(key);
  const indent = /^[^\n]*:[ \t]*(?:#[^\n]*)?\r?\n(?:[ \t]*(?:#[^\n]*)?\r?\n)*( +)\S/.exec(old)?.[1];
  if (indent === undefined || !isMap(was) || !isMap(value)) return undefined;
  if (![...was].every(([name, item]) => isSame(item, value.get(name)))) return undefined;
  const added = [...value].filter(([name]) => !was.has(name));
  return added.flatMap(([name, item]) => renderField(name, item)).map((line) => `${indent}${line}`);
}
