import { symlinkSync } from 'node:fs';
import { join } from 'node:path';

import { expect, test } from 'vitest';

import { makeTree } from '../../test/support/tree.ts';
import { refuseOutside } from './script-inputs.ts';

test('an agent may pass a script only files whose real path is in its workspace', () => {
  const root = makeTree({
    'home/work/a.txt': '',
    'home/work/.env': '',
    'elsewhere/b.txt': '',
    'home/workshop/c.txt': '',
  });
  const home = join(root, 'home');
  const dir = join(home, 'work');
  symlinkSync(join(root, 'elsewhere'), join(dir, 'out'));
  const judge = (path: string): string | undefined => refuseOutside([path], { dir, home })?.message;
  for (const path of ['a.txt', '.', dir, join(dir, 'a.txt'), '.env', 'none.txt']) expect(judge(path)).toBeUndefined();
  for (const path of ['..', '../workshop/c.txt', join(root, 'elsewhere/b.txt'), 'out/b.txt', 'out', '/etc/passwd'])
    expect(judge(path)).toBe(`the input ${path} is outside the workspace`);
});

test('an agent may not pass a script hidden files of the home folder, even if that is its workspace', () => {
  const root = makeTree({ 'home/.ssh/id': '', 'home/.netrc': '', 'home/notes/.hidden': '', 'home/a.txt': '' });
  const home = join(root, 'home');
  symlinkSync(join(home, '.ssh'), join(home, 'keys'));
  for (const dir of [home, root]) {
    const judge = (path: string): string | undefined => refuseOutside([join(home, path)], { dir, home })?.message;
    for (const path of ['a.txt', 'notes', 'notes/.hidden']) expect(judge(path)).toBeUndefined();
    for (const path of ['.ssh/id', '.ssh', '.netrc', 'keys', 'keys/id', '.'])
      expect(judge(path)).toMatch(/includes hidden files of the home directory$/);
  }
});
