import fc from 'fast-check';
import { expect, test } from 'vitest';

import { propertyRuns } from '../../../test/support/property-runs.ts';
import type { JsonEntry, Seam } from './foreign-entry.ts';
import { hasJsonEntry, putJsonEntry, takeJsonEntry } from './json-entries.ts';

const OFF: JsonEntry = { kind: 'key', at: ['skillOverrides', 'pdf'], value: 'off' };
const LISTED: JsonEntry = { kind: 'item', at: ['skills', 'disabled'], value: 'pdf' };

function put(text: string, entry: JsonEntry, seams: readonly Seam[] = []): { text: string; seams: readonly Seam[] } {
  const edited = putJsonEntry(text, entry, seams);
  if (!edited.ok) throw new Error(edited.message);
  return edited;
}

function take(text: string, entry: JsonEntry, seams: readonly Seam[]): { text: string; seams: readonly Seam[] } {
  const edited = takeJsonEntry(text, entry, seams);
  if (!edited.ok) throw new Error(edited.message);
  return edited;
}

test('a new key in a JSON file follows its layout and creates the missing parent object', () => {
  const text = '{\n  // mine\n  "model": "opus" // the best  \n}\n';
  expect(put(text, OFF).text).toBe(
    '{\n  // mine\n  "model": "opus", // the best  \n  "skillOverrides": {\n    "pdf": "off"\n  }\n}\n',
  );
});

test('adding to a list that is on one line of a JSON file keeps it on one line', () => {
  expect(put('{"skills": {"disabled": ["a"]}}', LISTED).text).toBe('{"skills": {"disabled": ["a", "pdf"]}}');
  expect(put('{\n  "skills": { "disabled": [] }\n}\n', LISTED).text).toBe(
    '{\n  "skills": { "disabled": ["pdf"] }\n}\n',
  );
});

const TEXTS = [
  '',
  '\n',
  '{}',
  '{ }\n',
  '{\n}\n',
  '\uFEFF{}\r\n',
  '{ // nothing yet\n}\n',
  '{"a":1}',
  '{"a":1,}',
  '{\n  "a": 1,\n}\n',
  '{\n  "a": 1  \n}\n',
  '{\n  "a": 1 // why  \n\n}\n',
  '{\r\n\t"a": 1 /* x */ , // y\r\n}\r\n',
  '{"skillOverrides": {}, "skills": {"disabled": [ ]}}',
  '{\n  "skillOverrides": {\n    "x": "on"\n  },\n  "skills": {\n    "disabled": [\n      "x" // no\n    ]\n  }\n}',
  '{"skillOverrides":{"x":"on"},"skills":{"disabled":["x",]}}\n// end',
];

test.each(TEXTS)(
  'entries added to the JSON file %j can be removed in any order, and every byte is restored',
  (text) => {
    for (const [first, second] of [
      [OFF, LISTED],
      [LISTED, OFF],
    ] as const) {
      const one = put(text, first);
      const two = put(one.text, second, one.seams);
      const three = put(two.text, { kind: 'key', at: ['skillOverrides', 'mail'], value: 'off' }, two.seams);
      expect(hasJsonEntry(three.text, first) && hasJsonEntry(three.text, second)).toBe(true);
      const back = take(three.text, first, three.seams);
      const mail = take(back.text, { kind: 'key', at: ['skillOverrides', 'mail'], value: 'off' }, back.seams);
      expect(take(mail.text, second, mail.seams)).toEqual({ ok: true, text, seams: [] });
    }
  },
);

test('removing our JSON entry keeps what others added, even in an object that we created', () => {
  const { text, seams } = put('{\n  "a": 1\n}\n', OFF);
  const changed = text.replace('"pdf": "off"', '"pdf": "off",\n    "mail": "name-only"').replace('"a": 1', '"a": 2');
  expect(take(changed, OFF, seams).text).toBe('{\n  "a": 2,\n  "skillOverrides": {\n    "mail": "name-only"\n  }\n}\n');
  const listed = put('{"skills":{"disabled":[]}}', LISTED);
  expect(take(listed.text.replace('"pdf"', '"pdf", "x"'), LISTED, listed.seams).text).toBe(
    '{"skills":{"disabled":["x"]}}',
  );
});

test('a JSON value that others changed is neither removed nor overwritten', () => {
  const { text, seams } = put('{}', OFF);
  const changed = text.replace('"off"', '"on"');
  expect(take(changed, OFF, seams).text).toBe(changed);
  expect(putJsonEntry(changed, OFF)).toMatchObject({ ok: false, message: expect.stringContaining('another value') });
});

test.each([
  ['{"skillOverrides": 1}', 'not an object'],
  ['{"skillOverrides": []}', 'not an object'],
  ['{"skillOverrides": {}, "skillOverrides": {}}', 'safely'],
  ['{', 'line 1'],
  ['[]', 'JSON object'],
])('adding an entry to the JSON file %j is refused with the reason', (text, reason) => {
  expect(putJsonEntry(text, OFF)).toMatchObject({ ok: false, message: expect.stringContaining(reason) });
});

test('adding and removing JSON entries restores the file to the byte, whatever it contains', () => {
  const value = fc.dictionary(fc.constantFrom('a', 'skills', 'skillOverrides', 'b "c"'), fc.jsonValue());
  const names = fc.uniqueArray(fc.string({ minLength: 1 }), { minLength: 1, maxLength: 4 });
  fc.assert(
    fc.property(value, fc.constantFrom(0, 2, '\t'), names, (content, indent, added) => {
      const text = JSON.stringify(content, undefined, indent);
      const entries = added.flatMap((name): readonly JsonEntry[] => [
        { kind: 'key', at: ['skillOverrides', name], value: 'off' },
        { kind: 'item', at: ['skills', 'disabled'], value: name },
      ]);
      let held: { readonly text: string; readonly seams: readonly Seam[] } = { text, seams: [] };
      const done: JsonEntry[] = [];
      for (const entry of entries) {
        if (hasJsonEntry(held.text, entry)) continue;
        const edited = putJsonEntry(held.text, entry, held.seams);
        if (!edited.ok) continue;
        held = edited;
        done.push(entry);
      }
      for (const entry of done) held = take(held.text, entry, held.seams);
      expect(held.text).toBe(text);
    }),
    { seed: 20_261_117, numRuns: propertyRuns(500) },
  );
});
