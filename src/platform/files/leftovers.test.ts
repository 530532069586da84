import { readdirSync } from 'node:fs';
import { join } from 'node:path';

import { expect, test } from 'vitest';

import { deadName } from '../../../test/support/locks.ts';
import { makeTree, writeTree } from '../../../test/support/tree.ts';
import { uniqueName } from '../clock.ts';
import { sweepLeftovers } from './leftovers.ts';
import { hasPendingChanges } from './pending-changes.ts';

const [dead, alive] = [deadName(), uniqueName()];
const KEPT = [`.skillplane-${alive}.new`, `.skillplane-${alive}.tmp`, `.skillplane-${dead}.old`, dead, 'config.yaml'];

test('sweeping removes what dead processes left and nothing else, and waits for pending changes', () => {
  const dir = makeTree({
    ...Object.fromEntries(KEPT.map((name) => [`files/${name}/x`, ''])),
    [`files/.skillplane-${dead}.new/deep/x`]: '',
    [`files/.skillplane-${dead}.tmp`]: '',
  });
  const record = { version: 1, moves: [], discard: [], prepared: [] };
  writeTree(dir, {
    'unknown/pending/1-x.json': '{}',
    'own/pending/1-x.json': JSON.stringify({ ...record, guards: ['/a/skills-lock.yaml'] }),
    'other/pending/1-x.json': JSON.stringify({ ...record, guards: ['/b/skills-lock.yaml'] }),
  });
  const sweep = (home: string): readonly string[] => {
    const dirs = [join(dir, 'files'), join(dir, 'nowhere')];
    sweepLeftovers(dirs, () => hasPendingChanges(join(dir, home), '/a/skills-lock.yaml'));
    return readdirSync(join(dir, 'files'));
  };
  expect(sweep('unknown')).toHaveLength(KEPT.length + 2);
  expect(sweep('own')).toHaveLength(KEPT.length + 2);
  expect(sweep('other')).toEqual(KEPT.toSorted());
});

test('sweeping without regard to pending changes leaves what they may need', () => {
  const dir = makeTree({ [`.skillplane-${dead}.new`]: '', [`.skillplane-${dead}.tmp`]: '' });
  sweepLeftovers([dir]);
  expect(readdirSync(dir)).toEqual([`.skillplane-${dead}.new`]);
});
