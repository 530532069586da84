import { expect, test } from 'vitest';

import { hasTomlEntry, putTomlEntry, takeTomlEntry, type TomlEntry } from './toml-entries.ts';

const lines = (path: string): TomlEntry => ({
  kind: 'lines',
  text: `[[skills.config]]\npath = "${path}"\nenabled = false`,
});
const LINES = lines('/a/SKILL.md');

test.each(['', '\n', 'a = 1', 'a = 1\n', 'a = 1\n\n', '# mine\r\na = 1\r\n', '[skills]\nbundled.enabled = false\n'])(
  'lines added to the TOML file %j can be removed in any order, and every byte is restored',
  (text) => {
    const one = putTomlEntry(text, LINES);
    const two = one.ok ? putTomlEntry(one.text, lines('/b')) : one;
    if (!one.ok || !two.ok) throw new Error('it should be possible');
    expect(hasTomlEntry(two.text, one.entry)).toBe(true);
    for (const [first, second] of [
      [one.entry, two.entry],
      [two.entry, one.entry],
    ] as const) {
      const half = takeTomlEntry(two.text, first);
      expect(half.ok ? takeTomlEntry(half.text, second) : half).toEqual({ ok: true, text });
    }
  },
);

test('removing our TOML lines keeps the lines that others wrote before and after them', () => {
  const put = putTomlEntry('a = 1\n', LINES);
  if (!put.ok) throw new Error(put.message);
  expect(takeTomlEntry(put.text.replace('a = 1', 'a = 2') + '\n[x]\ny = 1\n', put.entry)).toMatchObject({
    text: 'a = 2\n\n[x]\ny = 1\n',
  });
  const gone = takeTomlEntry('a = 1\n', put.entry);
  expect(gone).toEqual({ ok: true, text: 'a = 1\n' });
});

test.each([
  ['a = ', 'line 1'],
  ['skills = 1', 'safely'],
  ['[skills]\nconfig = [{ name = "x", enabled = false }]\n', 'safely'],
])('adding lines to the TOML file %j is refused with the reason', (text, reason) => {
  expect(putTomlEntry(text, LINES)).toMatchObject({ ok: false, message: expect.stringContaining(reason) });
});
