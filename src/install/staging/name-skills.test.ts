import { join } from 'node:path';

import { describe, expect, test } from 'vitest';

import { catalogOf, done, makeInstallWorld, skill } from '../../../test/support/install-world.ts';
import { makeTree } from '../../../test/support/tree.ts';

const SOURCE = { 'pdf/SKILL.md': skill('pdf'), 'docx/SKILL.md': skill('docx') };
const OWN = { 'home/.agent/skills/pdf/SKILL.md': skill('pdf', { description: 'Mine.' }) };

describe('installing a skill whose name is in use', () => {
  test('is refused unless the caller replaces it or gives another name', async () => {
    const world = makeInstallWorld(OWN);
    const request = { url: makeTree(SOURCE), skills: ['pdf'] };
    const confirm = async (): Promise<boolean> => true;
    expect(await world.user.install(request, { confirm })).toMatchObject({
      ok: false,
      code: 'ALREADY_EXISTS',
      message: `"pdf" is in use: the new skill hides your user skill pdf at ${join(world.home, '.agent/skills/pdf')}`,
    });
    expect(done(await world.user.install({ ...request, name: 'other' })).installed).toMatchObject([{ name: 'other' }]);
    expect(done(await world.user.install({ ...request, replace: true })).installed).toMatchObject([{ name: 'pdf' }]);
    await using catalog = await catalogOf(world);
    expect(done(catalog.find('pdf')).skill.source).toBe('plugin');
  });

  test('skips the skill when all skills are installed', async () => {
    const world = makeInstallWorld(OWN);
    expect(done(await world.user.install({ url: makeTree(SOURCE), all: true }))).toMatchObject({
      installed: [{ name: 'docx' }],
      skipped: [{ name: 'pdf', code: 'ALREADY_EXISTS' }],
    });
  });

  test("asks the caller's `rename`, and answering with the same name accepts the conflict", async () => {
    const world = makeInstallWorld(OWN);
    const asked: unknown[] = [];
    const installed = done(
      await world.user.install(
        { url: makeTree(SOURCE), skills: ['pdf'] },
        {
          async rename(name, _why, conflict) {
            asked.push([name, conflict?.kind, conflict?.source]);
            return name;
          },
          async confirm({ skills }) {
            asked.push(skills[0]?.conflict?.phrase);
            return true;
          },
        },
      ),
    );
    expect(installed.installed).toMatchObject([{ name: 'pdf' }]);
    expect(asked).toEqual([['pdf', 'hides', 'user'], expect.stringMatching(/^hides your user skill pdf at /)]);
  });

  test('says if the new skill would be hidden by a plugin or by a preference', async () => {
    const world = makeInstallWorld({
      ...OWN,
      'home/.agent/plugins/docx/SKILL.md': skill('docx'),
      'home/.agent/config.yaml': 'skills:\n  preferred: {pdf: user}\n',
    });
    const url = makeTree(SOURCE);
    expect(await world.user.install({ url, skills: ['pdf'] })).toMatchObject({
      ok: false,
      message: expect.stringContaining('is hidden by your user skill pdf'),
    });
    expect(await world.team.install({ url, skills: ['docx'] })).toMatchObject({
      ok: false,
      message: expect.stringContaining('is hidden by your plugin skill docx'),
    });
  });

  test("is allowed if the other skill's source is off", async () => {
    const world = makeInstallWorld({ 'project/.cursor/skills/pdf/SKILL.md': skill('pdf') });
    expect(done(await world.user.install({ url: makeTree(SOURCE), skills: ['pdf'] })).installed).toHaveLength(1);
  });
});
