import { expect, test } from 'vitest';

import { MAX_ARGUMENTS_LENGTH, readArguments } from './tool-arguments.ts';

test('arguments are plain data, from an object or from JSON text', () => {
  expect(readArguments({ a: [1, { b: 'x' }], no: undefined })).toEqual({ ok: true, args: { a: [1, { b: 'x' }] } });
  expect(readArguments('{"a": 1}')).toEqual({ ok: true, args: { a: 1 } });
});

test.each([[undefined], [null], ['']])('%j means no arguments', (given) => {
  expect(readArguments(given)).toEqual({ ok: true, args: {} });
});

test.each([[[1]], ['[1]'], ['"text"'], ['null'], [5], [false], [() => 1]])('%s is no object', (given) => {
  expect(readArguments(given)).toEqual({
    ok: false,
    code: 'TOOLSET_FAILED',
    message: 'the arguments are wrong: they must be an object',
  });
});

test('text that is not JSON is reported as such', () => {
  const circle: Record<string, unknown> = {};
  circle['self'] = circle;
  for (const given of ['{a: 1}', circle, { n: 1n }])
    expect(readArguments(given)).toMatchObject({ ok: false, message: expect.stringContaining('they are not JSON: ') });
});

test('an argument called __proto__ is refused at any depth, however it is written', () => {
  const refused = { ok: false, message: 'the arguments are wrong: the name "__proto__" is not allowed' };
  expect(readArguments('{"__proto__": {"admin": true}}')).toMatchObject(refused);
  expect(readArguments('{"a": [{"\\u005f_proto__": 1}]}')).toMatchObject(refused);
  expect(readArguments(JSON.parse('{"a": {"__proto__": 1}}'))).toMatchObject(refused);
  expect(readArguments({ text: 'about "__proto__": and more', constructor: 'fine' })).toMatchObject({ ok: true });
});

test('huge arguments are refused before they are read', () => {
  const largest = 'x'.repeat(MAX_ARGUMENTS_LENGTH - '{"a":""}'.length);
  expect(readArguments({ a: largest })).toMatchObject({ ok: true });
  expect(readArguments({ a: `${largest}x` })).toMatchObject({ ok: false, code: 'ARGS_TOO_LARGE' });
  expect(readArguments('{'.repeat(MAX_ARGUMENTS_LENGTH + 1))).toMatchObject({ code: 'ARGS_TOO_LARGE' });
});

test('arguments that are nested without end are a failure and no crash', () => {
  let deep: unknown = {};
  for (let depth = 0; depth < 100_000; depth += 1) deep = [deep];
  expect(readArguments({ deep })).toMatchObject({ ok: false, code: 'TOOLSET_FAILED' });
});
