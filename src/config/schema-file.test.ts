import { readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { expect, test } from 'vitest';

import { makeTree } from '../../test/support/tree.ts';
import { editConfig } from './edit-config.ts';
import { findConfigSchema, SCHEMA_LINE } from './schema-file.ts';

const SCHEMA = readFileSync(findConfigSchema(), 'utf8');
const change = (dir: string, name: string): ReturnType<typeof editConfig> =>
  editConfig({ file: join(dir, 'config.yaml'), isUsers: true }, (editor) => editor.add('disabled', name));

test('a new config.yaml names its schema, and each change renews the copy beside it', async () => {
  const dir = makeTree();
  const copy = join(dir, 'config.schema.json');
  await change(dir, 'a');
  expect(readFileSync(join(dir, 'config.yaml'), 'utf8').startsWith(SCHEMA_LINE)).toBe(true);
  expect(readFileSync(copy, 'utf8')).toBe(SCHEMA);
  writeFileSync(copy, '{}');
  await change(dir, 'b');
  expect(readFileSync(copy, 'utf8')).toBe(SCHEMA);
});

test('a config.yaml that names no schema gets no copy, and a linked schema stays unchanged', async () => {
  const dir = makeTree({ 'plain/config.yaml': 'skills: {}\n', 'linked/config.yaml': SCHEMA_LINE, secret: 'x' });
  symlinkSync(join(dir, 'secret'), join(dir, 'linked/config.schema.json'));
  await change(join(dir, 'plain'), 'a');
  await change(join(dir, 'linked'), 'a');
  expect(() => readFileSync(join(dir, 'plain/config.schema.json'))).toThrow('ENOENT');
  expect(readFileSync(join(dir, 'secret'), 'utf8')).toBe('x');
});
