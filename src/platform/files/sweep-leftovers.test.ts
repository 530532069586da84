import { spawnSync } from 'node:child_process';
import { readdirSync } from 'node:fs';
import { join } from 'node:path';

import { expect, test } from 'vitest';

import { makeTree, writeTree } from '../../../test/support/tree.ts';
import { STAGED_NAMES } from './state-folder.ts';
import { sweepLeftovers } from './sweep-leftovers.ts';
import { UNFINISHED_NAMES } from './write-file.ts';

const dead = spawnSync(process.execPath, ['--version']).pid;
const alive = process.pid;

const KEPT = [`${alive}-abc`, `fetch-${alive}-abc`, 'previous-pdf', `x-${dead}-abc`, `${dead}`, '.gitignore'];

test('sweeping removes what dead processes left and nothing else, and waits for pending changes', () => {
  const dir = makeTree({
    ...Object.fromEntries(KEPT.map((name) => [`state/${name}/x`, ''])),
    [`state/${dead}-abc/deep/x`]: '',
    [`state/fetch-${dead}-abc/x`]: '',
    [`files/.skillplane-${dead}-abc.new`]: '',
    [`files/.skillplane-${alive}-abc.new`]: '',
    [`files/.skillplane-${dead}-abc.tmp`]: '',
    [`files/${dead}-abc`]: '',
    'files/config.yaml': '',
  });
  const places = [
    { dir: join(dir, 'state'), names: STAGED_NAMES },
    { dir: join(dir, 'files'), names: UNFINISHED_NAMES },
    { dir: join(dir, 'nowhere'), names: UNFINISHED_NAMES },
  ];
  const record = { version: 1, moves: [], discard: [], prepared: [] };
  writeTree(dir, {
    'unknown/pending/1-x.json': '{}',
    'own/pending/1-x.json': JSON.stringify({ ...record, guards: ['/a/skills-lock.yaml'] }),
    'other/pending/1-x.json': JSON.stringify({ ...record, guards: ['/b/skills-lock.yaml'] }),
  });
  const guard = '/a/skills-lock.yaml';
  sweepLeftovers(places, { agentHome: join(dir, 'unknown'), guard });
  sweepLeftovers(places, { agentHome: join(dir, 'own'), guard });
  expect(readdirSync(join(dir, 'state'))).toContain(`${dead}-abc`);
  expect(readdirSync(join(dir, 'files'))).toContain(`.skillplane-${dead}-abc.new`);
  sweepLeftovers(places, { agentHome: join(dir, 'other'), guard });
  expect(readdirSync(join(dir, 'state'))).toEqual(KEPT.toSorted());
  expect(readdirSync(join(dir, 'files'))).toEqual(
    [`.skillplane-${alive}-abc.new`, `${dead}-abc`, 'config.yaml'].toSorted(),
  );
});
