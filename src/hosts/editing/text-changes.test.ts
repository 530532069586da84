import fc from 'fast-check';
import { expect, test } from 'vitest';

import { fail } from '../../model/outcome.ts';
import { takeBack, withChange, type Swap } from './text-changes.ts';

/** The swaps that lead from each text to the next. */
const changesOf = (first: string, ...others: readonly string[]): readonly Swap[] =>
  others.reduce(withChange, { text: first, changes: [] }).changes;

/** Undefined if the changes cannot be taken back. */
function undo(text: string, changes: readonly Swap[]): string | undefined {
  const done = takeBack({ path: 'notes.txt', text }, changes, () => fail('STORE_FAILED', 'others changed it'));
  return done.ok ? done.text : undefined;
}

test('undoing a text insertion restores the original to the byte, whatever was inserted', () => {
  const insertion = fc.tuple(fc.string(), fc.string({ minLength: 1 }), fc.string());
  fc.assert(
    fc.property(insertion, ([head, inserted, tail]) => {
      const before = `${head}${tail}`;
      const after = `${head}${inserted}${tail}`;
      expect(undo(after, changesOf(before, after))).toBe(before);
    }),
    { seed: 20_261_117 },
  );
});

test('undoing nested text changes works in reverse order, and after the text has moved', () => {
  expect(undo('more a[one (two)]c', changesOf('ac', 'a[one]c', 'a[one (two)]c'))).toBe('more ac');
});

test('a text change is found again although the same words stand elsewhere', () => {
  const [before, after] = ['["pdf", "x"] and ["x"]', '["pdf", "x"] and ["pdf", "x"]'];
  expect(undo(`// more\n${after}`, changesOf(before, after))).toBe(`// more\n${before}`);
  expect(undo('aa', changesOf('a', 'aa'))).toBe('a');
});

test('a text change that is missing or found twice is not undone', () => {
  expect(undo('a[on]c', [{ before: '', after: '[one]' }])).toBeUndefined();
  expect(undo('[one][one]', [{ before: '', after: '[one]' }])).toBeUndefined();
});

test('a change that others built on is not undone to the byte if their file could not be read then', () => {
  const changes = changesOf('{"a": []}', '{"a": ["ours"]}');
  const take = (): { ok: true; text: string } => ({ ok: true, text: 'taken' });
  expect(takeBack({ path: 'a.json', text: '{"a": ["ours", "theirs"]}' }, changes, take)).toMatchObject({
    text: 'taken',
  });
  expect(takeBack({ path: 'a.json', text: '{"a": ["ours"], "b": 1}' }, changes, take)).toMatchObject({
    text: '{"a": [], "b": 1}',
  });
});
