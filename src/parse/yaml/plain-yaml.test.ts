import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { parseDocument } from 'yaml';

import { propertyRuns } from '../../../test/support/property-runs.ts';
import { readPlainYaml, readRepeatedYaml } from './plain-yaml.ts';

const LIMIT = 100_000;

function valueOf(text: string): unknown {
  const read = readPlainYaml(text, LIMIT);
  return read.ok ? read.value : 'refused';
}

describe('one of our own YAML files', () => {
  test.each([
    ['', undefined],
    ['# only a comment\n', undefined],
    ['---\n', null],
    ['a: 1\nb: [true, ~, "1"]\n', { a: 1, b: [true, null, '1'] }],
    ['404: x\n', { 404: 'x' }],
    ['a: &a [1]\nb: *a\n', { a: [1], b: [1] }],
    ['a: 2024-01-01\nb: 0x1F\nc: 1_000\n', { a: '2024-01-01', b: 31, c: '1_000' }],
    ['<<: {a: 1}\n', { '<<': { a: 1 } }],
  ])('is read as plain data: %j', (text, expected) => {
    expect(valueOf(text)).toEqual(expected);
  });

  test.each([
    ['a: 1\na: 2\n', 2, 'the key a is given twice'],
    ['a: 1\n"a": 2\n', 2, 'the key a is given twice'],
    ['404: 1\n"404": 2\n', 2, 'the key 404 is given twice'],
    ['a:\n  __proto__: 1\n', 2, 'the key __proto__ is not allowed'],
    ['a: 1\n---\nb: 2\n', 2, 'documents'],
    ['a: *b\n', 1, 'alias'],
    ['a: [\n', 2, ']'],
  ])('is refused with line and reason: %j, line %i, %s', (text, line, message) => {
    expect(readPlainYaml(text, LIMIT)).toMatchObject({ ok: false, line, message: expect.stringContaining(message) });
  });

  test('gives the line of an entry, or of what holds it', () => {
    const read = readPlainYaml('a: 1\nb:\n  - x\n  - c: 2\n', LIMIT);
    const lineOf = read.ok ? read.lineOf : () => 0;
    expect([['b'], ['b', 1], ['b', 1, 'c'], ['b', 1, 'missing'], ['missing']].map(lineOf)).toEqual([2, 4, 4, 4, 1]);
  });

  test('may have a key several times if all its values are asked for', () => {
    expect(readRepeatedYaml('a: [1, 2]\nb: x\na: 3\n', LIMIT)).toMatchObject({ value: { a: [1, 2, 3], b: 'x' } });
  });

  test('has the same value for both YAML packages', () => {
    const plain = [
      'a',
      '1',
      '1.5',
      '-0',
      '0o14',
      '0x1F',
      '.inf',
      '.nan',
      '1e3',
      '0123',
      'true',
      'True',
      'yes',
      'null',
      '',
    ];
    const odd = [
      '~',
      '"q"',
      "'q'",
      'a b',
      'a #c',
      '<<',
      '=',
      '!!str 5',
      '&x 5',
      '*x',
      '- ',
      '? a',
      '|',
      '%a',
      '@a',
      '"\\x41"',
    ];
    const scalar = fc.constantFrom(...plain, ...odd);
    const key = fc.constantFrom('a', 'b', '404', 'true', '"q"', 'constructor', '__proto__', '?', '<<');
    const { value } = fc.letrec<{ value: string }>((tie) => ({
      value: fc.oneof(
        { depthSize: 'small' },
        scalar,
        fc.array(tie('value'), { maxLength: 3 }).map((items) => `[${items.join(', ')}]`),
        fc.array(fc.tuple(key, tie('value')), { maxLength: 3 }).map((pairs) => {
          return `{${pairs.map(([name, item]) => `${name}: ${item}`).join(', ')}}`;
        }),
      ),
    }));
    const entry = fc.tuple(key, value).map(([name, item]) => `${name}: ${item}\n`);
    const item = fc.tuple(key, value).map(([name, one]) => `${name}:\n  - ${one}\n  - x: ${one}\n`);
    const text = fc
      .array(fc.oneof(entry, item, fc.constantFrom('\n', '# c\n', '---\n', '...\n', '\t\n')))
      .map((parts) => {
        return parts.join('');
      });
    let compared = 0;
    fc.assert(
      fc.property(text, (given) => {
        const read = readPlainYaml(given, LIMIT);
        if (!read.ok) return;
        const document = parseDocument(given, { schema: 'core', logLevel: 'error' });
        expect(document.errors).toEqual([]);
        expect(read.value ?? null).toEqual(document.toJS());
        compared += 1;
      }),
      { numRuns: propertyRuns(5_000), seed: 20261118 },
    );
    expect(compared).toBeGreaterThan(50);
  });
});
