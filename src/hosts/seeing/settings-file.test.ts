import { join } from 'node:path';

import { describe, expect, test } from 'vitest';

import { makeTree } from '../../../test/support/tree.ts';
import { readJsonSettings, readTomlSettings } from './settings-file.ts';

const LISTS = `${'['.repeat(20_000)}${']'.repeat(20_000)}`;

describe('a settings file of an agent that is nested 20,000 levels deep', () => {
  test.each([
    ['JSON', `{"a": ${LISTS}}`],
    ['JSON with comments', `{\n  // mine, "quoted"\n  "a": ${LISTS},\n}`],
    ['JSON that is cut', `{"a": ${'{"a": ['.repeat(20_000)}`],
  ])('is reported as a file that cannot be read: %s', (_, text) => {
    const path = join(makeTree({ 'settings.json': text }), 'settings.json');
    const { values, fault } = readJsonSettings(path);
    expect(values).toEqual({});
    expect(fault?.because).toBe(`${path}: it is nested more than 500 levels deep`);
  });

  test.each([
    ['lists', `a = ${LISTS}`, 'line 1 is not valid TOML'],
    ['a dotted key', `${'a.'.repeat(20_000)}b = 1`, 'it is nested more than 500 levels deep'],
    ['the name of a table', `[${'a.'.repeat(20_000)}b]`, 'it is nested more than 500 levels deep'],
  ])('is reported as a file that cannot be read: TOML with %s', (_, text, because) => {
    const path = join(makeTree({ 'config.toml': text }), 'config.toml');
    const { values, fault } = readTomlSettings(path);
    expect(values).toEqual({});
    expect(fault?.because).toBe(`${path}: ${because}`);
  });
});

test('a settings file of an agent may be nested as deep as any program writes it', () => {
  const lists = `${'['.repeat(400)}${']'.repeat(400)}`;
  const tree = makeTree({ 'a.json': `{"a": ${lists}}`, 'b.json': `{"a": ${lists}, /* */}`, 'c.toml': `a = ${lists}` });
  expect(readJsonSettings(join(tree, 'a.json')).fault).toBeUndefined();
  expect(readJsonSettings(join(tree, 'b.json')).fault).toBeUndefined();
  expect(readTomlSettings(join(tree, 'c.toml')).fault).toBeUndefined();
});
