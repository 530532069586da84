import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { expect, test } from 'vitest';
import { parse } from 'yaml';

import { makeRepository } from '../../test/support/git-repositories.ts';
import { done, makeInstallWorld, skill, snapshot, type InstallWorld } from '../../test/support/install-world.ts';
import type { ForeignSkill } from '../model/foreign-skill.ts';
import type { InstallPreview } from './install-request.ts';

const PDF = { 'SKILL.md': skill('pdf'), 'scripts/run.sh': '#!/bin/sh\n' };
const below = (dir: string, tree: Readonly<Record<string, string>>): Readonly<Record<string, string>> =>
  Object.fromEntries(Object.entries(tree).map(([path, text]) => [`${dir}/${path}`, text]));

const world = (tree: Readonly<Record<string, string>> = PDF): InstallWorld =>
  makeInstallWorld(below('home/.agents/skills/pdf', tree));
const foreign = ({ home }: InstallWorld, from?: ForeignSkill['from'], tool: ForeignSkill['tool'] = 'skills') => {
  return { name: 'pdf', tool, folder: join(home, '.agents/skills/pdf'), from };
};
const lockOf = ({ agentHome }: InstallWorld) => parse(readFileSync(join(agentHome, 'skills-lock.yaml'), 'utf8')).skills;

test('importing a skill that is identical in its repository records the commit, so that it can be restored', async () => {
  const source = makeRepository(below('skills/pdf', PDF));
  const commit = source.git(['rev-parse', 'HEAD']).trim();
  const here = world();
  const before = snapshot(join(here.home, '.agents'));
  const one = foreign(here, { address: source.url, ref: 'main', path: 'skills/pdf' });
  const report = done(await here.user.takeOver({ skills: [one] }));
  expect(report).toMatchObject({ installed: [{ name: 'pdf', path: join(here.plugins, 'pdf') }], skipped: [] });
  expect(lockOf(here).pdf).toMatchObject({ url: source.url, ref: 'main', commit, path: 'skills/pdf' });
  expect(snapshot(join(here.home, '.agents'))).toEqual(before);
  expect(done(await here.user.verify())).toMatchObject({ plugins: [{ name: 'pdf', state: 'unchanged' }] });
  writeFileSync(join(here.plugins, 'pdf/SKILL.md'), skill('pdf', { description: 'Changed.' }));
  expect(done(await here.user.restore())).toMatchObject({ restored: ['pdf'] });
});

test('importing a skill compares it with the recorded commit even if its branch has moved on', async () => {
  const source = makeRepository(PDF);
  const commit = source.git(['rev-parse', 'HEAD']).trim();
  source.commit({ 'SKILL.md': skill('pdf', { description: 'Newer.' }) });
  const here = world();
  done(await here.user.takeOver({ skills: [foreign(here, { address: source.url, commit, path: '' }, 'dotagents')] }));
  expect(lockOf(here).pdf).toMatchObject({ url: source.url, commit });
  expect(lockOf(here).pdf.ref).toBeUndefined();
});

test.each([
  ['has other files', { ...PDF, 'SKILL.md': skill('pdf', { description: 'Edited here.' }) }, 'has other files'],
  ['is gone', PDF, 'file:///nowhere/at/all'],
  ['is not recorded', PDF, 'does not record'],
])(
  'importing a skill whose origin %s records its folder as the origin, and the preview says so',
  async (_, tree, reason) => {
    const here = world(tree);
    const address = reason.startsWith('file:') ? reason : makeRepository(PDF).url;
    const from = reason === 'does not record' ? undefined : { address, path: '' };
    let preview: InstallPreview | undefined;
    const onPreview = (shown: InstallPreview): void => void (preview = shown);
    done(await here.user.takeOver({ skills: [foreign(here, from)] }, { onPreview }));
    expect(lockOf(here).pdf).toMatchObject({ url: join(here.home, '.agents/skills/pdf') });
    expect(lockOf(here).pdf.commit).toBeUndefined();
    expect(preview?.notices).toEqual([expect.stringMatching(/^pdf, from skills: .* \(the folder here, since .*\)$/)]);
    expect(preview?.notices[0]).toContain(reason);
  },
);

test('importing a skill leaves out the marker file of openskills', async () => {
  const source = makeRepository(PDF);
  const here = world({ ...PDF, '.openskills.json': '{}' });
  done(await here.user.takeOver({ skills: [foreign(here, { address: source.url, path: '' }, 'openskills')] }));
  expect(lockOf(here).pdf).toMatchObject({ url: source.url });
  expect(Object.keys(snapshot(join(here.plugins, 'pdf')))).toEqual(['SKILL.md', 'scripts', 'scripts/run.sh']);
});

test('importing the same skill a second time changes nothing', async () => {
  const here = world();
  done(await here.user.takeOver({ skills: [foreign(here)] }));
  const before = snapshot(here.home);
  expect(done(await here.user.takeOver({ skills: [foreign(here)] }))).toMatchObject({
    installed: [],
    present: ['pdf'],
  });
  expect(snapshot(here.home)).toEqual(before);
});

test('importing skills from the same path in different repositories keeps their origins apart', async () => {
  const [one, two] = [makeRepository({ 'x/SKILL.md': skill('pdf') }), makeRepository({ 'x/SKILL.md': skill('mail') })];
  const here = makeInstallWorld({
    'home/.agents/skills/pdf/SKILL.md': skill('pdf'),
    'home/.agents/skills/mail/SKILL.md': skill('mail'),
  });
  const pdf = foreign(here, { address: one.url, path: 'x' });
  const mail = {
    ...foreign(here, { address: two.url, path: 'x' }),
    name: 'mail',
    folder: pdf.folder.replace(/pdf$/, 'mail'),
  };
  done(await here.user.takeOver({ skills: [pdf, mail] }));
  expect(lockOf(here)).toMatchObject({ pdf: { url: one.url, path: 'x' }, mail: { url: two.url, path: 'x' } });
});

test('importing a skill is refused if another skill already has its name', async () => {
  const here = makeInstallWorld({
    ...below('home/somewhere/pdf', PDF),
    'home/.agent/skills/pdf/SKILL.md': skill('pdf', { description: 'Mine.' }),
  });
  const one = { ...foreign(here), folder: join(here.home, 'somewhere/pdf') };
  expect(await here.user.takeOver({ skills: [one] })).toMatchObject({ ok: false, code: 'ALREADY_EXISTS' });
});

test('importing reports a missing folder and takes over the other skills', async () => {
  const here = world();
  const gone = { ...foreign(here), name: 'gone', folder: join(here.home, 'gone') };
  expect(done(await here.user.takeOver({ skills: [gone, foreign(here)] }))).toMatchObject({
    installed: [{ name: 'pdf' }],
    diagnostics: [{ path: gone.folder }],
  });
});

test('importing installs nothing if the user declines', async () => {
  const here = world();
  const before = snapshot(here.home);
  const done = await here.user.takeOver({ skills: [foreign(here)] }, { confirm: async () => false });
  expect(done).toMatchObject({ ok: false });
  expect(
    Object.keys(snapshot(here.home)).filter((path) => !(path in before) && /plugins\/|lock\.yaml|config/.test(path)),
  ).toEqual([]);
});
