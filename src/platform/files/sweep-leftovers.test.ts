import { readdirSync } from 'node:fs';
import { join } from 'node:path';

import { expect, test } from 'vitest';

import { deadName } from '../../../test/support/locks.ts';
import { makeTree, writeTree } from '../../../test/support/tree.ts';
import { uniqueName } from '../clock.ts';
import { STAGED_NAMES } from './state-folder.ts';
import { sweepLeftovers } from './sweep-leftovers.ts';
import { UNFINISHED_NAMES } from './write-file.ts';

const dead = deadName();
const alive = uniqueName();

const KEPT = [alive, `fetch-${alive}`, 'previous-pdf', `x-${dead}`, dead.split('-')[0] ?? '', '.gitignore'];

test('sweeping removes what dead processes left and nothing else, and waits for pending changes', () => {
  const dir = makeTree({
    ...Object.fromEntries(KEPT.map((name) => [`state/${name}/x`, ''])),
    [`state/${dead}/deep/x`]: '',
    [`state/fetch-${dead}/x`]: '',
    [`files/.skillplane-${dead}.new`]: '',
    [`files/.skillplane-${alive}.new`]: '',
    [`files/.skillplane-${dead}.tmp`]: '',
    [`files/${dead}`]: '',
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
  expect(readdirSync(join(dir, 'state'))).toContain(dead);
  expect(readdirSync(join(dir, 'files'))).toContain(`.skillplane-${dead}.new`);
  sweepLeftovers(places, { agentHome: join(dir, 'other'), guard });
  expect(readdirSync(join(dir, 'state'))).toEqual(KEPT.toSorted());
  expect(readdirSync(join(dir, 'files'))).toEqual([`.skillplane-${alive}.new`, dead, 'config.yaml'].toSorted());
});
