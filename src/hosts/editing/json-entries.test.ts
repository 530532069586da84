import fc from 'fast-check';
import { expect, test } from 'vitest';

import { propertyRuns } from '../../../test/support/property-runs.ts';
import type { Outcome } from '../../model/outcome.ts';
import { hasJsonEntry, putJsonEntry, takeJsonEntry, type JsonEntry } from './json-entries.ts';
import { takeBack, withChange, type ChangedText } from './text-changes.ts';

const OFF: JsonEntry = { kind: 'key', at: ['skillOverrides', 'pdf'], value: 'off' };
const LISTED: JsonEntry = { kind: 'item', at: ['skills', 'disabled'], value: 'pdf' };

/** The text with these entries of ours, whichever of `all` it had before. */
function hold(held: ChangedText, entries: readonly JsonEntry[], all = entries): ChangedText {
  const take = (text: string): Outcome<{ readonly text: string }> =>
    all.reduce<Outcome<{ readonly text: string }>>(
      (left, entry) => (left.ok ? takeJsonEntry(left.text, entry, held.changes) : left),
      { ok: true, text },
    );
  const left = takeBack({ path: 'settings.json', text: held.text }, held.changes, take);
  if (!left.ok) throw new Error(left.message);
  return entries.reduce<ChangedText>(
    (changed, entry) => {
      const put = putJsonEntry(changed.text, entry);
      if (!put.ok) throw new Error(put.message);
      return withChange(changed, put.text);
    },
    { text: left.text, changes: [] },
  );
}

const put = (text: string, ...entries: readonly JsonEntry[]): ChangedText => hold({ text, changes: [] }, entries);

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
    const mail: JsonEntry = { kind: 'key', at: ['skillOverrides', 'mail'], value: 'off' };
    for (const [first, second] of [
      [OFF, LISTED],
      [LISTED, OFF],
    ] as const) {
      const three = put(text, first, second, mail);
      expect(hasJsonEntry(three.text, first) && hasJsonEntry(three.text, second)).toBe(true);
      const two = hold(three, [second, mail]);
      expect([first, second, mail].map((entry) => hasJsonEntry(two.text, entry))).toEqual([false, true, true]);
      const one = hold(two, [second]);
      expect(hold(one, [])).toMatchObject({ text, changes: [] });
    }
  },
);

test('removing our JSON entry keeps what others added, even in an object that we created', () => {
  const made = put('{\n  "a": 1\n}\n', OFF);
  const text = made.text.replace('"pdf": "off"', '"pdf": "off",\n    "mail": "name-only"').replace('"a": 1', '"a": 2');
  expect(hold({ ...made, text }, [], [OFF]).text).toBe(
    '{\n  "a": 2,\n  "skillOverrides": {\n    "mail": "name-only"\n  }\n}\n',
  );
  const listed = put('{"skills":{"disabled":[]}}', LISTED);
  expect(hold({ ...listed, text: listed.text.replace('"pdf"', '"pdf", "x"') }, [], [LISTED]).text).toBe(
    '{"skills":{"disabled":["x"]}}',
  );
});

test('removing our JSON entry after the file was laid out anew removes the objects that we created for it', () => {
  const made = put('{"a": 1, "skills": {}}', OFF, LISTED);
  const text = JSON.stringify(JSON.parse(made.text), undefined, 7);
  expect(JSON.parse(hold({ ...made, text }, [], [OFF, LISTED]).text)).toEqual({ a: 1, skills: {} });
});

test('a JSON value that others changed is neither removed nor overwritten', () => {
  const made = put('{}', OFF);
  const changed = made.text.replace('"off"', '"on"');
  expect(hold({ ...made, text: changed }, [], [OFF]).text).toBe(changed);
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
      const done = entries.filter((entry) => putJsonEntry(text, entry).ok && !hasJsonEntry(text, entry));
      const held = hold(hold(put(text, ...done), done.slice(1)), []);
      expect(held.text).toBe(text);
    }),
    { seed: 20_261_117, numRuns: propertyRuns(500) },
  );
});
