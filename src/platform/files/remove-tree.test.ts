import { chmodSync, existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';

import { describe, expect, test } from 'vitest';

import { DROP_PRIVILEGES, runModule, sourceUrl } from '../../../test/support/child.ts';
import { link, makeTree } from '../../../test/support/tree.ts';
import { removeTree } from './remove-tree.ts';

describe('removing a tree', () => {
  test('removes everything in it but not what its links lead to', () => {
    const root = makeTree({
      'gone/a/b': 'x',
      'gone/a/link': link('../../stays'),
      'stays/file': '',
      link: link('stays'),
    });
    expect(removeTree(join(root, 'gone')).ok).toBe(true);
    expect(removeTree(join(root, 'link')).ok).toBe(true);
    expect(readdirSync(root)).toEqual(['stays']);
    expect(readdirSync(join(root, 'stays'))).toEqual(['file']);
  });

  test('works for a file and for a missing path', () => {
    const root = makeTree({ file: '' });
    for (const name of ['file', 'missing']) expect(removeTree(join(root, name)).ok).toBe(true);
    expect(readdirSync(root)).toEqual([]);
  });

  test('works for folders nested deeper than the longest path, even if some are closed', async () => {
    const root = makeTree({ 'stays/file': '' });
    chmodSync(root, 0o777);
    const code = `
      import { chmodSync, mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
      import { removeTree } from ${JSON.stringify(sourceUrl('platform/files/remove-tree.ts'))};
      ${DROP_PRIVILEGES}
      const [root] = process.argv.slice(1);
      process.chdir(root);
      mkdirSync('gone');
      process.chdir('gone');
      for (let depth = 0; depth < 60; depth += 1) {
        for (const name of ['a', 'b'].map((letter) => letter.repeat(200))) mkdirSync(name);
        mkdirSync(Buffer.from([0xff, 0xfe]));
        writeFileSync('file', '');
        symlinkSync(root + '/stays', 'link');
        if (depth === 50) chmodSync('b'.repeat(200), 0);
        process.chdir('a'.repeat(200));
      }
      chmodSync('.', 0o500);
      chmodSync('..', 0);
      console.log(JSON.stringify(removeTree(root + '/gone')));`;
    expect(await runModule(code, [root])).toMatchObject({ ok: true });
    expect(readdirSync(root)).toEqual(['stays']);
    expect(readdirSync(join(root, 'stays'))).toEqual(['file']);
  });
});

const NOT_ROOT = process.getuid?.() === 0 ? '' : ' (skipped: only for root)';

test.skipIf(NOT_ROOT !== '')(
  `removing a tree that belongs to another user fails and leaves it in place${NOT_ROOT}`,
  async () => {
    const root = makeTree({ 'closed/tree/': '', 'closed/tree/inner/file': '' });
    for (const path of ['closed/tree/inner', 'closed/tree', 'closed', '']) chmodSync(join(root, path), 0o555);
    const code = `
    import { removeTree } from ${JSON.stringify(sourceUrl('platform/files/remove-tree.ts'))};
    ${DROP_PRIVILEGES}
    console.log(JSON.stringify(removeTree(process.argv[1])));`;
    expect(await runModule(code, [join(root, 'closed/tree')])).toMatchObject({ ok: false, code: 'STORE_FAILED' });
    expect(existsSync(join(root, 'closed/tree/inner/file'))).toBe(true);
  },
);
