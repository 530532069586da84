import { expect, test } from 'vitest';

import {
  countField,
  flagField,
  hidden,
  nameField,
  optional,
  readFields,
  schemaOf,
  textField,
  textsField,
} from './tool-fields.ts';

const FIELDS = {
  query: textField('What.'),
  limit: optional(countField('How many.', { minimum: 1, maximum: 50 })),
  from: optional(countField('Where.', { minimum: 0 })),
  tags: optional(textsField('Which.')),
  isRaw: optional(flagField('How.')),
};

test('fields of a tool are shown as the JSON Schema of an object', () => {
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

test('a hidden field of a tool is not in the schema, but is read', () => {
  const fields = { query: textField('What.'), limit: hidden(countField('How many.', { minimum: 1 })) };
  expect(schemaOf(fields)).toMatchObject({ properties: { query: {} }, required: ['query'] });
  expect(schemaOf(fields)).not.toHaveProperty('properties.limit');
  expect(readFields(fields, { query: 'x', limit: 3 })).toEqual({ ok: true, values: { query: 'x', limit: 3 } });
});

test('a tool’s argument may come under another name, and one text for a list of texts', () => {
  const fields = { name: nameField(), tags: optional(textsField('Which.')) };
  expect(readFields(fields, { skill: 'pdf', tags: 'a' })).toEqual({ ok: true, values: { name: 'pdf', tags: ['a'] } });
  expect(readFields(fields, { skill: 'mail', name: 'pdf' })).toMatchObject({ values: { name: 'pdf' } });
});

test('optional arguments of a tool may be missing or null, and unknown ones are ignored', () => {
  expect(readFields(FIELDS, { query: '', limit: 50, from: 0, tags: ['a'], isRaw: false })).toEqual({
    ok: true,
    values: { query: '', limit: 50, from: 0, tags: ['a'], isRaw: false },
  });
  expect(readFields(FIELDS, { query: 'x', limit: null, more: 1 })).toEqual({ ok: true, values: { query: 'x' } });
});

test('wrong arguments of a tool are all reported at once', () => {
  expect(readFields(FIELDS, { limit: 51, from: -1, tags: ['a', 1], isRaw: 'yes' })).toEqual({
    ok: false,
    code: 'TOOLSET_FAILED',
    message:
      'takes {"query": "<query>"}; you sent {"limit":51,"from":-1,"tags":["a",1],"isRaw":"yes"}: ' +
      '"query" is missing, "limit" must be a whole number from 1 to 50, ' +
      '"from" must be a whole number from 0, "tags" must be an array of strings, "isRaw" must be true or false',
  });
});

test.each([0, 1.5, '3', NaN, true])('a count from 1 to 50 in a tool’s arguments cannot be %j', (limit) => {
  expect(readFields(FIELDS, { query: 'x', limit })).toMatchObject({ ok: false });
});

test.each([[null], [1], [['pdf']], [undefined]])('a required text in a tool’s arguments cannot be %j', (query) => {
  expect(readFields(FIELDS, { query })).toMatchObject({ ok: false });
});

test('a name inherited from Object is not taken for a tool’s argument', () => {
  expect(readFields({ toString: textField('x') }, {})).toMatchObject({ ok: false });
});
