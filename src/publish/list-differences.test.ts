import { expect, test } from 'vitest';

import { listDifferences } from './list-differences.ts';

const file = (path: string, text: string) => ({ path, executable: false, bytes: Buffer.from(text) });
const lines = (count: number, line: (at: number) => string): string =>
  Array.from({ length: count }, (_, at) => `${line(at)}\n`).join('');

test('the differences of two versions are listed by path, each with its kind and lines', () => {
  const before = [file('a.md', 'one\n'), file('b.bin', '\xff'), file('c.md', 'same\n')];
  const binary = { path: 'b.bin', executable: false, bytes: Uint8Array.of(255, 0) };
  const after = [file('a.md', 'two\n'), binary, file('c.md', 'same\n'), file('d.md', 'new\n')];
  expect(listDifferences(before, after)).toEqual([
    { path: 'a.md', kind: 'changed', diff: '--- a/a.md\n+++ b/a.md\n@@ -1,1 +1,1 @@\n-one\n+two\n' },
    { path: 'b.bin', kind: 'changed', diff: undefined },
    { path: 'd.md', kind: 'added', diff: '--- a/d.md\n+++ b/d.md\n@@ -0,0 +1,1 @@\n+new\n' },
  ]);
});

test('many long files that differ in many places take bounded work and text together, and a small file is still shown', () => {
  const names = Array.from({ length: 40 }, (_, at) => `${String(at).padStart(2, '0')}.txt`);
  const long = lines(100_000, () => 'abc');
  const changed = lines(100_000, (at) => (at % 400 === 0 ? 'xyz' : 'abc'));
  const before = [...names.map((name) => file(name, long)), file('z.md', 'one\n')];
  const after = [...names.map((name) => file(name, changed)), file('z.md', 'two\n')];
  const differences = listDifferences(before, after);
  expect(differences).toHaveLength(41);
  expect(differences.every(({ diff }) => (diff?.match(/^@@ /gm) ?? []).length <= 1)).toBe(true);
  expect(differences.at(-2)?.diff).toContain('Not compared: both versions together have 200002 lines.');
  expect(differences.at(-1)?.diff).toContain('-one\n+two\n');
  expect(differences.reduce((sum, { diff }) => sum + (diff ?? '').length, 0)).toBeLessThan(2_200_000);
});
