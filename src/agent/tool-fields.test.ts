import { expect, test } from 'vitest';

import { countField, flagField, optional, readFields, schemaOf, textField, textsField } from './tool-fields.ts';

const FIELDS = {
  query: textField('What.'),
  limit: optional(countField('How many.', { minimum: 1, maximum: 50 })),
  from: optional(countField('Where.', { minimum: 0 })),
  tags: optional(textsField('Which.')),
  isRaw: optional(flagField('How.')),
};

test('fields give the JSON Schema of an object', () => {
  expect(schemaOf(FIELDS)).toEqual({
    type: 'object',
    properties: {
      query: { type: 'string', description: 'What.' },
      limit: { type: 'integer', minimum: 1, maximum: 50, description: 'How many.' },
      from: { type: 'integer', minimum: 0, description: 'Where.' },
      tags: { type: 'array', items: { type: 'string' }, description: 'Which.' },
      isRaw: { type: 'boolean', description: 'How.' },
    },
    required: ['query'],
    additionalProperties: false,
  });
  expect(schemaOf({})).toEqual({ type: 'object', properties: {}, additionalProperties: false });
});

test('good values of a text are listed each time anew, and not where there are too many', () => {
  let names: readonly string[] | undefined = ['a'];
  const field = textField('Which.', () => names);
  expect(field.schema()).toEqual({ type: 'string', enum: ['a'], description: 'Which.' });
  names = undefined;
  expect(field.schema()).toEqual({ type: 'string', description: 'Which.' });
});

test('arguments are read; what may be left out may be null; others are of no account', () => {
  expect(readFields(FIELDS, { query: '', limit: 50, from: 0, tags: ['a'], isRaw: false })).toEqual({
    ok: true,
    values: { query: '', limit: 50, from: 0, tags: ['a'], isRaw: false },
  });
  expect(readFields(FIELDS, { query: 'x', limit: null, more: 1 })).toEqual({ ok: true, values: { query: 'x' } });
});

test('all that is wrong is said at once', () => {
  expect(readFields(FIELDS, { limit: 51, from: -1, tags: ['a', 1], isRaw: 'yes' })).toEqual({
    ok: false,
    code: 'TOOLSET_FAILED',
    message:
      'the arguments are wrong: "query" is missing; it must be a string; "limit" must be a whole number from 1 to 50; ' +
      '"from" must be a whole number from 0; "tags" must be an array of strings; "isRaw" must be true or false',
  });
});

test.each([0, 1.5, '3', NaN, true])('%j is no count from 1 to 50', (limit) => {
  expect(readFields(FIELDS, { query: 'x', limit })).toMatchObject({ ok: false });
});

test.each([null, 1, ['pdf'], undefined])('%j is no text', (query) => {
  expect(readFields(FIELDS, { query })).toMatchObject({ ok: false });
});

test('a name of JavaScript’s own is no argument that was given', () => {
  expect(readFields({ toString: textField('x') }, {})).toMatchObject({ ok: false });
});
