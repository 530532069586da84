import { join } from 'node:path';

import { expect, test } from 'vitest';

import { runModule, RUNS_SOURCES, sourceUrl } from '../../test/support/child.ts';
import { makeRepository } from '../../test/support/git-repositories.ts';
import { makeTree, skillText, type Tree } from '../../test/support/tree.ts';

/**
 * Wraps functions of `node:fs` and `node:child_process` before our code imports them, and counts their calls. Locks are left
 * out: how often they are looked at depends on the time.
 */
const COUNT = `
  import childProcess from 'node:child_process';
  import fs from 'node:fs';
  import { syncBuiltinESMExports } from 'node:module';
  const counts = {};
  const counted = (real, kind) => (...args) => {
    if (!String(args[0]).endsWith('.lock')) counts[kind] = (counts[kind] ?? 0) + 1;
    return real(...args);
  };
  const wrap = (module, name, kind) => {
    const real = module[name];
    module[name] = Object.assign(counted(real, kind), real);
    if (real.native !== undefined) module[name].native = counted(real.native, kind);
  };
  const KINDS = [['sync', /^f(?:data)?sync/], ['open', /^open/], ['link', /^(?:readlink|realpath)/], ['write', /^write/], ['rename', /^rename/]];
  for (const name of Object.keys(fs))
    for (const [kind, names] of KINDS) if (typeof fs[name] === 'function' && names.test(name)) wrap(fs, name, kind);
  wrap(childProcess, 'spawn', 'start');
  syncBuiltinESMExports();
`;

const DO = `
  const [operation, home, url] = process.argv.slice(1);
  const { SkillInstaller } = await import('${sourceUrl('install/installer.ts')}');
  const installer = new SkillInstaller({ home, cwd: home, env: { PATH: process.env.PATH, AGENT_HOME: home + '/.agent' } });
  for (const kind of Object.keys(counts)) delete counts[kind];
  const done = operation === 'install'
    ? await installer.install({ url, all: true })
    : await installer.update([], async ({ updates }) => updates);
  if (!done.ok) throw new Error(done.message);
  console.log(JSON.stringify({ count: (done.installed ?? done.updated).length, ...counts }));
`;

type Counts = Readonly<Record<string, number>>;

const makeSkills = (count: number, version: number): Tree =>
  Object.fromEntries(
    Array.from({ length: count }, (_, at) => {
      const text = skillText({ name: `s${at}`, description: 'x' }, `${version} and ${at}\n`);
      return [`skills/s${at}/SKILL.md`, text] as const;
    }),
  );

/** The calls for an installation of so many skills, and for an update of all of them. */
async function countCalls(count: number): Promise<readonly [Counts, Counts]> {
  const home = makeTree();
  const repository = makeRepository(makeSkills(count, 1), join(makeTree(), 'r'));
  const run = (operation: string): Promise<unknown> => runModule(`${COUNT}${DO}`, [operation, home, repository.url]);
  const installed = await run('install');
  repository.commit(makeSkills(count, 2));
  // The counts are printed by the module above.
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion
  return [installed as Counts, (await run('update')) as Counts];
}

const SKIPPED = RUNS_SOURCES ? '' : ' (skipped: Node.js 22 does not run the sources)';

test(`installing or updating one more skill takes a few system calls and starts no process${SKIPPED}`, async ({
  skip,
}) => {
  skip(!RUNS_SOURCES, 'this version of Node.js cannot run the sources directly');
  const [few, many] = [await countCalls(10), await countCalls(60)];
  const perSkill = [0, 1].map((at) =>
    Object.fromEntries(
      Object.entries(many[at] ?? {}).map(([kind, calls]) => [kind, (calls - (few[at]?.[kind] ?? 0)) / 50]),
    ),
  );
  // Git says its version, fetches, names the commit, lists its files and reads them.
  expect(few.map(({ start }) => start)).toEqual([5, 5]);
  const [install, update] = perSkill;
  // The new file; its folder, listed to flush the file to disk; putting it in place.
  expect(install).toEqual({ count: 1, open: 3, write: 1, sync: 1, link: 2, rename: 1, start: 0 });
  // Also the old file and its folder, to see whether they were changed; the entry of the old version, and moving both away.
  expect(update).toEqual({ count: 1, open: 8, write: 2, sync: 2, link: 10, rename: 3, start: 0 });
}, 60_000);
