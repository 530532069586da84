import { rmSync } from 'node:fs';
import { join } from 'node:path';

import { expect, test } from 'vitest';

import { catalogOf, done, makeInstallWorld, skill } from '../../test/support/install-world.ts';
import { makeTree, writeTree } from '../../test/support/tree.ts';
import { openTrust } from '../catalog/trust.ts';
import { digestFolder } from '../parse/digest.ts';
import { openSkillFolder } from '../platform/files/skill-folder.ts';

test('listing plugins shows each with its catalog entry, whether its folder exists and whether it is trusted', async () => {
  const world = makeInstallWorld();
  for (const name of ['pdf', 'docx', 'gone'])
    done(await world.user.install({ url: makeTree({ 'SKILL.md': skill(name) }) }));
  done(await world.team.install({ url: makeTree({ 'SKILL.md': skill('team') }) }));
  rmSync(join(world.plugins, 'gone'), { recursive: true });
  await using catalog = await catalogOf(world);
  const pdf = done(catalog.find('pdf')).skill;
  done(await openTrust(world.agentHome).grant(pdf, done(digestFolder(openSkillFolder(pdf.dir))).digest));
  const listed = done(await world.user.list());
  expect(listed.lockFile).toBe(join(world.agentHome, 'skills-lock.yaml'));
  expect(listed.plugins).toMatchObject([
    { name: 'docx', isPresent: true, isTrusted: false, skill: { name: 'docx', enabled: true } },
    { name: 'gone', isPresent: false, isTrusted: false },
    { name: 'pdf', isPresent: true, isTrusted: true, skill: { origin: { path: '' } } },
  ]);
  expect(listed.plugins[1]?.skill).toBeUndefined();
  writeTree(world.plugins, { 'pdf/new': 'x' });
  expect(done(await world.user.list()).plugins[2]).toMatchObject({ isTrusted: false });
  expect(done(await world.team.list()).plugins).toMatchObject([{ name: 'team' }]);
});
