import {
  appendFileSync,
  existsSync,
  readFileSync,
  readlinkSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';

import { expect, test } from 'vitest';

import { skillplane, type CommandResult } from '../support/command-line.ts';
import { makeTree, skillText, type Tree } from '../support/tree.ts';

const skill = (name: string): string => skillText({ name, description: `Helps with ${name}.` }, `Do ${name}.`);

/** A repository that its team opens in Claude Code; two people with nothing at home. */
function makeTeam(tree: Tree = {}): { readonly ann: string; readonly bob: string; readonly work: string } {
  const root = makeTree({
    'ann/': '',
    'bob/': '',
    'work/.git/config': '[core]\n\tbare = false\n',
    'work/.claude/': '',
    'work/.agents/skills/pdf/SKILL.md': skill('pdf'),
    'work/.agent/skills/mail/SKILL.md': skill('mail'),
    ...tree,
  });
  return { ann: join(root, 'ann'), bob: join(root, 'bob'), work: join(root, 'work') };
}

test("sync --project makes relative links for the project's agents, and --check agrees on every machine", async () => {
  const { ann, bob, work } = makeTeam();
  const sync = (home: string, ...args: readonly string[]): Promise<CommandResult> =>
    skillplane(['sync', '--project', ...args], { home, cwd: work });
  expect((await sync(ann, '--check')).code).toBe(1);
  expect(await sync(ann)).toMatchObject({ code: 0, stdout: expect.stringContaining('Synced: 2 links added.') });
  expect(readlinkSync(join(work, '.claude/skills/pdf'))).toBe('../../.agents/skills/pdf');
  expect(readlinkSync(join(work, '.claude/skills/mail'))).toBe('../../.agent/skills/mail');
  for (const home of [ann, bob]) expect((await sync(home, '--check')).code).toBe(0);
  rmSync(join(work, '.claude/skills/pdf'));
  expect((await sync(bob, '--check')).code).toBe(1);
});

test('a skill of the project is linked there, too, if a person has another of its name', async () => {
  const { ann, bob, work } = makeTeam({ 'ann/.agent/plugins/pdf/SKILL.md': skill('pdf') });
  await skillplane(['sync', '--project'], { home: ann, cwd: work });
  expect(readlinkSync(join(work, '.claude/skills/pdf'))).toBe('../../.agents/skills/pdf');
  for (const home of [ann, bob])
    expect((await skillplane(['sync', '--project', '--check'], { home, cwd: work })).code).toBe(0);
});

test('a link that git checked out as a text, or that is broken or leads out, fails --check and is found by doctor', async () => {
  const { ann, work } = makeTeam({ 'outside/SKILL.md': skill('outside') });
  await skillplane(['sync', '--project'], { home: ann, cwd: work });
  const folder = join(work, '.claude/skills');
  rmSync(join(folder, 'pdf'));
  writeFileSync(join(folder, 'pdf'), '../../.agents/skills/pdf');
  symlinkSync('../../nowhere', join(folder, 'gone'));
  symlinkSync('../../../outside', join(folder, 'outside'));
  writeFileSync(join(folder, 'README.md'), 'About these skills.\n');
  expect((await skillplane(['sync', '--project', '--check'], { home: ann, cwd: work })).code).toBe(1);
  const { stdout } = await skillplane(['doctor', '--json'], { home: ann, cwd: work });
  const details = JSON.parse(stdout).checks.map(({ detail }: { readonly detail: string }) => detail);
  expect(details.filter((detail: string) => detail.startsWith(folder))).toEqual([
    `${folder}/gone is a broken link (../../nowhere)`,
    `${folder}/outside is a link out of the project, which others do not have (../../../outside)`,
    `${folder}/pdf is a text file: git checked it out without links (../../.agents/skills/pdf)`,
  ]);
});

test('where git has no links, skills are copied, with a note, and a copy that fell behind is out of sync', async () => {
  const { ann, bob, work } = makeTeam({ 'work/.git/config': '[core]\n\tsymlinks = false\n' });
  const { stdout, stderr } = await skillplane(['sync', '--project'], { home: ann, cwd: work });
  expect(stdout).toContain('Synced: 2 copies added.');
  expect(stderr).toContain('core.symlinks=false');
  expect(statSync(join(work, '.claude/skills/pdf')).isDirectory()).toBe(true);
  const check = (home: string): Promise<CommandResult> =>
    skillplane(['sync', '--project', '--check'], { home, cwd: work });
  for (const home of [ann, bob]) expect((await check(home)).code).toBe(0);
  appendFileSync(join(work, '.agents/skills/pdf/SKILL.md'), 'More.\n');
  for (const home of [ann, bob]) expect((await check(home)).code).toBe(1);
  await skillplane(['sync', '--project'], { home: ann, cwd: work });
  expect(readFileSync(join(work, '.claude/skills/pdf/SKILL.md'), 'utf8')).toContain('More.');
});

test('sync takes one skill, and gives what lies in the folders of other agents only with --everything', async () => {
  const home = makeTree({
    '.codex/': '',
    '.claude/skills/theirs/SKILL.md': skill('theirs'),
    '.agent/skills/one/SKILL.md': skill('one'),
    '.agent/skills/two/SKILL.md': skill('two'),
  });
  const has = (name: string): boolean => existsSync(join(home, '.agents/skills', name));
  await skillplane(['sync', 'one'], { home });
  expect(['one', 'two', 'theirs'].map(has)).toEqual([true, false, false]);
  await skillplane(['sync'], { home });
  expect(['one', 'two', 'theirs'].map(has)).toEqual([true, true, false]);
  await skillplane(['sync', 'codex', '--everything'], { home });
  expect(['one', 'two', 'theirs'].map(has)).toEqual([true, true, true]);
  expect(await skillplane(['sync', 'none'], { home })).toMatchObject({
    code: 1,
    stderr: expect.stringContaining('none'),
  });
});
