import { readFileSync, statSync } from 'node:fs';
import { join, normalize } from 'node:path';

import { expect, test } from 'vitest';

import { serve } from '../../../test/support/https-server.ts';
import { done, makeInstallWorld } from '../../../test/support/install-world.ts';
import { readInstalled } from '../../../test/support/installed.ts';
import { skillText, writeTree } from '../../../test/support/tree.ts';
import { SkillInstaller } from '../../install/installer.ts';
import { digestFolder } from '../../parse/digest.ts';
import { openSkillFolder } from '../../platform/files/skill-folder.ts';
import { publishSkills } from './publish-site.ts';

const pdf = (version: string): string =>
  skillText({ name: 'pdf', description: 'Fill in forms.', metadata: { version } }, `# PDF ${version}\n`);

test('skills from a published site can be installed and updated, and older versions by their address', async () => {
  const { root, project, home, env, plugins } = makeInstallWorld();
  const [skills, site] = [join(root, 'skills'), join(root, 'site')];
  writeTree(skills, {
    'pdf/SKILL.md': pdf('1.4.0'),
    'pdf/scripts/fill.sh': '#!/bin/sh\necho filled\n',
    'mail/SKILL.md': skillText({ name: 'mail', description: 'Write mail.' }, '# Mail\n'),
  });
  done(await publishSkills([skills], { to: site }));
  const server = await serve((path) => {
    const file = join(site, normalize(path));
    return statSync(file, { throwIfNoEntry: false })?.isFile() === true ? { body: readFileSync(file) } : undefined;
  });
  const installer = new SkillInstaller({ cwd: project, home, env: { ...env, ...server.env } });
  done(await installer.install({ url: server.url, all: true }));
  const digests = (dir: string): readonly unknown[] =>
    ['mail', 'pdf'].map((name) => digestFolder(openSkillFolder(join(dir, name))));
  expect(digests(plugins)).toEqual(digests(skills));
  expect(readInstalled(home)['pdf']?.locked.origin).toMatchObject({ kind: 'web', version: '1.4.0' });
  writeTree(skills, { 'pdf/SKILL.md': pdf('1.5.0') });
  done(await publishSkills([skills], { to: site }));
  expect(done(await installer.update([], async ({ updates }) => updates))).toMatchObject({
    updated: [{ name: 'pdf' }],
    current: ['mail'],
  });
  expect(digests(plugins)).toEqual(digests(skills));
  done(await installer.install({ url: `${server.url}/skills/pdf/1.4.0`, name: 'pdf-old' }));
  expect(readFileSync(join(plugins, 'pdf-old/SKILL.md'), 'utf8')).toBe(pdf('1.4.0'));
});
