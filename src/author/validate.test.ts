import { join } from 'node:path';

import { describe, expect, test } from 'vitest';

import { link, makeTree, skillText } from '../../test/support/tree.ts';
import { readProperties, toPrompt } from './read-skill.ts';
import { validate, validateSkill } from './validate.ts';

const PDF = skillText({ name: 'pdf', description: 'Fills forms.' });

describe('validating a skill on disk', () => {
  test('accepts the path of its folder or of its SKILL.md', () => {
    const root = makeTree({ 'pdf/SKILL.md': PDF });
    const properties = { name: 'pdf', description: 'Fills forms.' };
    for (const path of [join(root, 'pdf'), join(root, 'pdf', 'SKILL.md'), `${root}/x/../pdf/`]) {
      expect(readProperties(path)).toMatchObject({ ok: true, properties });
      expect(validate(path)).toEqual([{ path: join(root, 'pdf'), ok: true, errors: [], warnings: [] }]);
    }
  });

  test('checks a folder of skills one by one, in the order of their names', () => {
    const root = makeTree({
      'b/SKILL.md': skillText({ name: 'b', description: 'd' }),
      'a/SKILL.md': skillText({ name: 'x', description: 'd' }),
      'c/README.md': '',
      '.hidden/SKILL.md': '',
      'README.md': '',
    });
    expect(validate(root).map(({ path, ok }) => [path, ok])).toEqual([
      [join(root, 'a'), false],
      [join(root, 'b'), true],
    ]);
  });

  test('checks only the skill itself if its folder contains others', () => {
    const root = makeTree({ 'pdf/SKILL.md': PDF, 'pdf/nested/SKILL.md': '' });
    expect(validate(join(root, 'pdf')).map(({ path }) => path)).toEqual([join(root, 'pdf')]);
  });

  test.each([
    ['missing', 'does not exist'],
    ['README.md', 'not a directory'],
    ['empty', 'missing required file'],
    ['missing/SKILL.md', 'does not exist'],
  ])('reports one error if there is no skill at the path %s', (path, words) => {
    const root = makeTree({ 'README.md': '', 'empty/': '' });
    const [validation, ...others] = validate(join(root, path));
    expect(others).toEqual([]);
    expect(validation?.errors).toEqual([expect.objectContaining({ message: expect.stringContaining(words) })]);
  });

  test('does not read a SKILL.md that is a link out of the folder', () => {
    const root = makeTree({ 'secret.md': PDF, 'pdf/SKILL.md': link('../secret.md') });
    expect(validateSkill(join(root, 'pdf')).errors).toEqual([expect.objectContaining({ code: 'FILE_UNREADABLE' })]);
    expect(readProperties(join(root, 'pdf'))).toMatchObject({ ok: false, code: 'STORE_FAILED' });
    expect(toPrompt([join(root, 'pdf')])).toMatchObject({ ok: false, code: 'STORE_FAILED' });
  });
});
