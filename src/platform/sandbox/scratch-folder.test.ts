import { chmodSync, existsSync, mkdirSync, readdirSync, statSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';

import { describe, expect, test } from 'vitest';

import { DROP_PRIVILEGES, runModule, sourceUrl } from '../../../test/support/child.ts';
import { makeTree, writeTree } from '../../../test/support/tree.ts';
import { makeScratchFolder, type ScratchFolder } from './scratch-folder.ts';
import { rememberFolder } from './working-folder.ts';

function make(parent = makeTree()): ScratchFolder {
  const made = makeScratchFolder(parent);
  if (!made.ok) throw new Error(made.message);
  return made;
}

describe('the private folder of a script run', () => {
  test('is readable by us alone, is created with its parents, and is unique to each run', () => {
    const parent = join(makeTree(), 'a/b');
    const [one, two] = [make(parent), make(parent)];
    expect([one.root, one.dir].map((path) => statSync(path).mode & 0o777)).toEqual([0o700, 0o700]);
    expect(one.dir).not.toBe(two.dir);
  });

  test('that cannot be made is a failure', () => {
    const parent = join(makeTree({ file: '' }), 'file');
    expect(makeScratchFolder(parent)).toMatchObject({ ok: false, code: 'STORE_FAILED' });
  });

  test('is removed with everything in and beside it', () => {
    const parent = makeTree({ outside: 'stays' });
    const scratch = make(parent);
    writeTree(scratch.dir, { 'a/b/c': 'x' });
    symlinkSync(join(parent, 'outside'), join(scratch.dir, 'link'));
    mkdirSync(scratch.skillDir);
    scratch.dispose();
    expect(readdirSync(parent)).toEqual(['outside']);
    scratch.dispose();
  });

  test('is removed even if the script closed folders in it', async () => {
    const parent = makeTree();
    chmodSync(parent, 0o777);
    const code = `
      import { chmodSync, mkdirSync } from 'node:fs';
      import { makeScratchFolder } from ${JSON.stringify(sourceUrl('platform/sandbox/scratch-folder.ts'))};
      import { rememberFolder } from ${JSON.stringify(sourceUrl('platform/sandbox/working-folder.ts'))};
      ${DROP_PRIVILEGES}
      const scratch = makeScratchFolder(process.argv[1]);
      mkdirSync(scratch.dir + '/closed/inner', { recursive: true });
      chmodSync(scratch.dir + '/closed/inner', 0);
      chmodSync(scratch.dir + '/closed', 0);
      const listed = rememberFolder(scratch.dir)();
      scratch.dispose();
      console.log(JSON.stringify({ listed, dir: scratch.dir }));`;
    const { listed, dir } = (await runModule(code, [parent])) as { readonly listed: unknown; readonly dir: string };
    expect(listed).toEqual({ files: [], isCut: true });
    expect(existsSync(dir)).toBe(false);
  });

  test('is removed even if its folders are nested deeper than the longest path', () => {
    const parent = makeTree();
    const scratch = make(parent);
    const before = process.cwd();
    process.chdir(scratch.dir);
    for (let depth = 0; depth < 60; depth += 1) {
      mkdirSync('d'.repeat(200));
      process.chdir('d'.repeat(200));
    }
    process.chdir(before);
    expect(rememberFolder(scratch.dir)()).toEqual({ files: [], isCut: true });
    scratch.dispose();
    expect(readdirSync(parent)).toEqual([]);
  });
});
