import fc from 'fast-check';
import { describe, expect, test } from 'vitest';

import { propertyRuns } from '../../test/support/property-runs.ts';
import { NUMBERS, OPERATIONS } from './operation-table.ts';
import { parseStatement } from './parse-statement.ts';
import { printStatement } from './print-statement.ts';
import type { StatementError } from './statement-error.ts';
import { OPERATORS, PLANES, type Statement } from './statement.ts';

const SEED = 20261115;

/** Letters, marks that combine, and everything that means something in a statement. */
const character = fc.oneof(
  fc.constantFrom('"', '\\', '\n', '\t', '\r', ' ', '=', '#', '@', '^', 'n', 't', 's', '\u0303', '\u0338', '\u3000'),
  fc.string({ unit: 'grapheme', minLength: 1, maxLength: 1 }),
);
const text = fc.array(character, { maxLength: 20 }).map((parts) => parts.join('').normalize('NFC'));
const value = text.filter((given) => given.trim() !== '');
const word = text.filter((given) => /^[^\s"]+$/.test(given));
const key = fc
  .stringMatching(/^[A-Za-z_][A-Za-z0-9_-]{0,8}$/)
  .filter((given) => !/^(?:__proto__|constructor|prototype)$/.test(given));

const number = fc.integer({ min: 0, max: 999_999_999 }).map(String);
/** A skill, or one of its files. */
const target = fc.oneof(
  value,
  fc.array(value, { minLength: 2, maxLength: 4 }).map((parts) => parts.join('/')),
);

/** A field that may be left out. */
function maybe<K extends string, T>(name: K, values: fc.Arbitrary<T>): fc.Arbitrary<Partial<Record<K, T>>> {
  return fc
    .option(values)
    .map((given) => (given === null ? {} : ({ [name]: given } as Record<K, T>)) as Partial<Record<K, T>>);
}

const filters = fc
  .tuple(
    fc.uniqueArray(word, { maxLength: 3 }),
    maybe('domain', word),
    maybe('limit', fc.integer({ min: 1, max: 999_999_999 })),
  )
  .map(([tags, domain, limit]) => ({ tags, ...domain, ...limit }));

/** A statement of a plane that has no rules of its own. */
const foreign: fc.Arbitrary<Statement> = fc
  .tuple(
    fc.constantFrom(...OPERATORS),
    fc.constantFrom(...PLANES.filter((plane) => plane !== 's')),
    maybe('target', text),
    filters,
    fc.oneof(
      fc.record({ pairs: fc.dictionary(key, text, { maxKeys: 4, noNullPrototype: true }) }),
      fc.record({ text, pairs: fc.constant({}) }),
    ),
  )
  .filter(([, , named, , payload]) => 'target' in named || !('text' in payload))
  .map(([operator, plane, named, given, payload]) => ({ operator, plane, ...named, ...given, ...payload }));

/** A statement about skills with what its operation takes. */
const own: fc.Arbitrary<Statement> = fc.constantFrom(...OPERATORS).chain((operator) => {
  const { keys, filters: signs } = OPERATIONS[operator];
  const needed = { '+': ['content'], '~': ['content'], '>': ['script'] }[operator as string] ?? [];
  const pairs = fc
    .tuple(
      ...keys.map((name) => {
        const values = NUMBERS.includes(name) ? number : value;
        return needed.includes(name) ? values.map((given) => ({ [name]: given })) : maybe(name, values);
      }),
    )
    .map((parts): Record<string, string> => Object.assign({}, ...parts) as Record<string, string>);
  return fc.tuple(target, filters, pairs).map(([name, { tags, domain, limit }, given]) => ({
    operator,
    plane: 's' as const,
    target: name,
    tags: signs.includes('#') ? tags : [],
    ...(signs.includes('@') && domain !== undefined && !('domain' in given) ? { domain } : {}),
    ...(signs.includes('^') && limit !== undefined ? { limit } : {}),
    pairs: given,
  }));
});

describe('a printed CTX statement', () => {
  test('parses to the same statement', () => {
    fc.assert(
      fc.property(fc.oneof(own, foreign), (statement) => {
        expect(parseStatement(printStatement(statement))).toEqual({ ok: true, statement });
      }),
      { numRuns: propertyRuns(5_000), seed: SEED },
    );
  });

  test('prints the same again after parsing', () => {
    fc.assert(
      fc.property(fc.oneof(own, foreign), (statement) => {
        const printed = printStatement(statement);
        const parsed = parseStatement(printed);
        expect(parsed.ok && printStatement(parsed.statement)).toBe(printed);
      }),
      { numRuns: propertyRuns(1_000), seed: SEED },
    );
  });
});

/** Text that is often nearly a statement. */
const nearly = fc
  .tuple(
    fc.constantFrom('', '?s ', '!s ', '+s ', '~s ', '-s ', '>s ', '?k ', ' '),
    fc.array(
      fc.oneof(
        character,
        fc.constantFrom(
          '"',
          '\\"',
          ' #',
          ' @',
          ' ^',
          '^3',
          'content=',
          'script=x',
          'offset=7',
          '/',
          '__proto__=',
          ' x ',
          '"y"',
          '\0',
        ),
        fc.string({ unit: 'binary', maxLength: 3 }),
      ),
      { maxLength: 12 },
    ),
  )
  .map(([head, parts]) => `${head}${parts.join('')}`);

test('parsing any text as CTX returns a printable statement or an error with a position', () => {
  let [good, bad] = [0, 0];
  fc.assert(
    fc.property(fc.oneof(nearly, fc.string({ unit: 'binary' })), (given) => {
      const parsed = parseStatement(given);
      if (parsed.ok) good += 1;
      else bad += 1;
      const end = given.normalize('NFC').trim().length;
      expect(parsed.ok ? parseStatement(printStatement(parsed.statement)) : whole(parsed, end)).toEqual(parsed);
    }),
    { numRuns: propertyRuns(20_000), seed: SEED },
  );
  expect(Math.min(good, bad)).toBeGreaterThan(propertyRuns(500));
});

/** An error with all of its parts, and nothing else. */
function whole({ position, found, expected }: StatementError, end: number): object {
  expect(position).toBeGreaterThanOrEqual(0);
  expect(position).toBeLessThanOrEqual(end);
  const message = `at position ${position}: found ${found}, expected ${expected}`;
  expect(message.length).toBeLessThan(300);
  return { ok: false, code: 'CTX_INVALID', position, found, expected, message };
}

describe('the longest CTX statements', () => {
  const fill = (part: string): string => part.repeat(Math.floor(65_000 / Buffer.byteLength(part)));

  test.each([
    ['one text', `+s x "${fill('a')}"`],
    ['escapes', `+s x "${fill('\\"')}"`],
    ['an open text', `+s x "${fill('a')}`],
    ['tags', `?s ${fill('#a ')}`],
    ['other tags', `?s ${Array.from({ length: 8_000 }, (_, at) => `#t${at}`).join(' ')}`],
    ['pairs', `+k x ${Array.from({ length: 6_000 }, (_, at) => `k${at}=v`).join(' ')}`],
    ['equals signs', `?s ${fill('=')}`],
    ['blanks', `?s x${fill(' ')}#a`],
    ['quotation marks', `?s ${fill('"')}`],
    ['backslashes', `?s "${fill('\\\\')}"`],
    ['marks', `?s a${fill('\u0301')}`],
  ])('of %s are parsed in linear time', (_, statement) => {
    // A time that grew with the square of the length would be minutes, and no test is given so much.
    for (let times = 0; times < 50; times += 1) expect(typeof parseStatement(statement).ok).toBe('boolean');
  });
});
