import { lstatSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

import { expect, test } from 'vitest';

import { RUNS_SOURCES, runModule, sourceUrl } from '../../../test/support/child.ts';
import { snapshotTree } from '../../../test/support/snapshot.ts';
import { makeTree, skillText, writeTree } from '../../../test/support/tree.ts';

/** A process on a file system, or of a user, without links: every attempt fails with this error. */
const WITHOUT_LINKS = `
import fs from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';
const [home, errno, action] = process.argv.slice(1);
fs.symlinkSync = (target, path) => {
  throw Object.assign(new Error(errno + ': symlink ' + path), { code: errno, errno: -1, syscall: 'symlink' });
};
syncBuiltinESMExports();
const all = await import(${JSON.stringify(sourceUrl('hosts/sync/sync.ts'))});
console.log(JSON.stringify(await all[action]({ cwd: home, home, env: { HOME: home, PATH: '' } })));
`;

const skill = (name: string): string => skillText({ name, description: `Does ${name}.` }, 'Text.\n');

test.for(['EPERM', 'ENOTSUP'])(
  'sync copies, updates and cleanly removes skills where symbolic links fail with %s',
  async (errno, { skip }) => {
    skip(!RUNS_SOURCES, 'this version of Node.js cannot run the sources directly');
    const home = makeTree({
      '.agent/config.yaml': 'skills:\n  disabledSources: [bundled]\n',
      '.agent/skills/pdf/SKILL.md': skill('pdf'),
      '.agent/skills/pdf/forms/a.txt': 'one',
      '.claude/skills/own/SKILL.md': skill('own'),
    });
    const act = (action: string): Promise<unknown> => runModule(WITHOUT_LINKS, [home, errno, action]);
    const before = snapshotTree(home, ['.agent']);
    const copied = join(home, '.claude/skills/pdf');
    expect(await act('sync')).toMatchObject({
      ok: true,
      report: { changes: [{ kind: 'copy', skill: 'pdf', path: copied }], problems: [] },
    });
    expect(lstatSync(copied).isDirectory()).toBe(true);
    expect(await act('sync')).toMatchObject({ ok: true, report: { changes: [], files: [] } });
    writeTree(home, { '.agent/skills/pdf/forms/a.txt': 'two' });
    expect(await act('sync')).toMatchObject({ ok: true });
    expect(readFileSync(join(copied, 'forms/a.txt'), 'utf8')).toBe('two');
    expect(await act('undoSync')).toMatchObject({ ok: true });
    expect(snapshotTree(home, ['.agent'])).toEqual(before);
  },
);
