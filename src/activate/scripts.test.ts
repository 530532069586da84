import { join } from 'node:path';

import { describe, expect, test } from 'vitest';

import { foundSkill } from '../../test/support/found.ts';
import { makeTree, skillText, type Tree } from '../../test/support/tree.ts';
import type { LocatedSkill } from '../catalog/locate.ts';
import { findScript, listScripts } from './scripts.ts';

function locate(files: Tree, scripts?: readonly string[]): LocatedSkill {
  const tree = Object.fromEntries(Object.entries(files).map(([path, text]) => [`pdf/${path}`, text]));
  const realDir = join(makeTree({ 'pdf/SKILL.md': skillText({ name: 'pdf' }), ...tree }), 'pdf');
  const { skill } = foundSkill(realDir);
  return { skill: { ...skill, scripts }, realDir };
}

const FILES = { 'scripts/fill.py': '', 'scripts/deep/er.sh': '', 'scripts/a.sh': '', 'tool.sh': '', 'notes.md': '' };

describe('the scripts of a skill', () => {
  test('are all files in scripts/, sorted by path', () => {
    expect(listScripts(locate(FILES))).toEqual(['scripts/a.sh', 'scripts/deep/er.sh', 'scripts/fill.py']);
    expect(listScripts(locate({}))).toEqual([]);
  });

  test('are only the declared ones that exist, if the skill declares any', () => {
    expect(listScripts(locate(FILES, ['fill.py', 'scripts/a.sh', 'tool.sh', 'gone.sh', '../x', 'a.sh']))).toEqual([
      'scripts/a.sh',
      'scripts/fill.py',
      'tool.sh',
    ]);
    expect(listScripts(locate(FILES, []))).toEqual([]);
  });

  test.each([
    ['fill.py', 'scripts/fill.py'],
    ['scripts/fill.py', 'scripts/fill.py'],
    ['fill', 'scripts/fill.py'],
    ['deep/er.sh', 'scripts/deep/er.sh'],
    ['deep/er', 'scripts/deep/er.sh'],
  ])('can be called by the name %s', (name, path) => {
    expect(findScript(locate(FILES), name)).toEqual({ ok: true, path });
  });

  test.each(['tool.sh', 'Fill.py', '../pdf/scripts/fill.py', '', 'scripts', '/etc/passwd', 'er'])(
    'cannot be called by %j, and the failure lists the scripts that exist',
    (name) => {
      expect(findScript(locate(FILES), name)).toEqual({
        ok: false,
        code: 'RESOURCE_NOT_FOUND',
        message: `"pdf" has no script "${name}"; available: a.sh, deep/er.sh, fill.py`,
      });
    },
  );

  test('cannot be called without extension if two scripts share that name', () => {
    expect(findScript(locate({ 'scripts/a.sh': '', 'scripts/a.py': '' }), 'a')).toMatchObject({ ok: false });
    expect(findScript(locate({}), 'a')).toMatchObject({ message: '"pdf" has no script "a"; it has none' });
  });
});
