import { expect, test } from 'vitest';

import { MAX_ARGUMENTS_LENGTH, readArguments } from './tool-arguments.ts';

test('tool arguments are read from an object or from JSON text', () => {
  expect(readArguments({ a: [1, { b: 'x' }], no: undefined })).toEqual({ ok: true, args: { a: [1, { b: 'x' }] } });
  expect(readArguments('{"a": 1}')).toEqual({ ok: true, args: { a: 1 } });
});

test.each([[undefined], [null], ['']])('a tool called with %j gets an empty object of arguments', (given) => {
  expect(readArguments(given)).toEqual({ ok: true, args: {} });
});

test.each([[[1]], ['[1]'], ['"text"'], ['null'], [5], [false], [() => 1]])(
  'tool arguments must be an object: %s is refused',
  (given) => {
    expect(readArguments(given)).toEqual({
      ok: false,
      code: 'TOOLSET_FAILED',
      message: 'the arguments are wrong: they must be an object',
    });
  },
);

test('tool arguments that are not JSON are refused with that reason', () => {
  const circle: Record<string, unknown> = {};
  circle['self'] = circle;
  for (const given of ['{a: 1}', circle, { n: 1n }])
    expect(readArguments(given)).toMatchObject({ ok: false, message: expect.stringContaining('they are not JSON: ') });
});

test('tool arguments with the key __proto__ are refused at any depth, escaped or not', () => {
  const refused = { ok: false, message: 'the arguments are wrong: the name "__proto__" is not allowed' };
  expect(readArguments('{"__proto__": {"admin": true}}')).toMatchObject(refused);
  expect(readArguments('{"a": [{"\\u005f_proto__": 1}]}')).toMatchObject(refused);
  expect(readArguments(JSON.parse('{"a": {"__proto__": 1}}'))).toMatchObject(refused);
  expect(readArguments({ text: 'about "__proto__": and more', constructor: 'fine' })).toMatchObject({ ok: true });
});

test('tool arguments above the size limit are refused before they are parsed', () => {
  const largest = 'x'.repeat(MAX_ARGUMENTS_LENGTH - '{"a":""}'.length);
  expect(readArguments({ a: largest })).toMatchObject({ ok: true });
  expect(readArguments({ a: `${largest}x` })).toMatchObject({ ok: false, code: 'ARGS_TOO_LARGE' });
  expect(readArguments('{'.repeat(MAX_ARGUMENTS_LENGTH + 1))).toMatchObject({ code: 'ARGS_TOO_LARGE' });
});

test('tool arguments nested 100,000 deep are a failure, not a crash', () => {
  let deep: unknown = {};
  for (let depth = 0; depth < 100_000; depth += 1) deep = [deep];
  expect(readArguments({ deep })).toMatchObject({ ok: false, code: 'TOOLSET_FAILED' });
});
