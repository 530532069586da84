import { readFileSync, statSync } from 'node:fs';
import { join, normalize } from 'node:path';

import { expect, test } from 'vitest';

import { skillplane, type CommandResult } from '../support/command-line.ts';
import { serve } from '../support/https-server.ts';
import { listEverything } from '../support/installed.ts';
import { makeTree, skillText } from '../support/tree.ts';

const SKILLS = {
  'skills/pdf/SKILL.md': skillText({ name: 'pdf', description: 'Fill in forms and merge PDF files.' }),
  'skills/pdf/more.md': 'More.\n',
  'skills/mail/SKILL.md': skillText({ name: 'mail', description: 'Write mail to customers.' }),
};

test('search --remote lists or ranks the skills of an address, fetches only the index, and installs nothing', async () => {
  const root = makeTree({ ...SKILLS, 'home/': '' });
  const [site, home] = [join(root, 'site'), join(root, 'home')];
  expect((await skillplane(['publish', 'skills', '--to', 'site'], { home, cwd: root })).code).toBe(0);
  const { url, env, seen } = await serve((path) => {
    const file = join(site, normalize(path));
    return statSync(file, { throwIfNoEntry: false })?.isFile() === true ? { body: readFileSync(file) } : undefined;
  });
  const search = (...args: readonly string[]): Promise<CommandResult> => skillplane(['search', ...args], { home, env });
  const all = await search('--remote', url);
  expect(all).toMatchObject({ code: 0, stderr: expect.stringContaining('agent-skills/index.json: 2 skills') });
  expect(all.stdout).toMatch(/mail {2}Write mail[^]*pdf {3}Fill in forms/);
  const ranked = await search('merge two pdf files', '--remote', url, '--json');
  const { results, total } = JSON.parse(ranked.stdout) as { results: readonly { name: string }[]; total: number };
  expect([total, results[0]?.name]).toEqual([2, 'pdf']);
  expect(seen.filter(({ status }) => status === 200).map(({ path }) => path)).toEqual(
    Array.from({ length: 2 }, () => '/.well-known/agent-skills/index.json'),
  );
  expect((await search('weather', '--remote', url)).stderr).toContain('No skill matches.');
  expect(listEverything(home).filter((path) => /plugins|lock/.test(path))).toEqual([]);
  expect(await search('--remote', `${url}/skills/pdf/nothing.zip`)).toMatchObject({
    code: 1,
    stdout: '',
    stderr: expect.stringContaining('nothing.zip does not exist'),
  });
  const down = await search('--remote', 'https://localhost:9/.well-known/agent-skills/index.json', '--json');
  expect([down.code, JSON.parse(down.stdout)]).toMatchObject([1, { ok: false, code: 'INSTALL_FAILED' }]);
  expect((await search('--remote', 'npm:../x')).stderr).toContain('is not an npm package');
});

test('search --remote also searches a directory and an archive', async () => {
  const home = makeTree(SKILLS);
  expect((await skillplane(['pack', 'skills/pdf'], { home })).code).toBe(0);
  expect((await skillplane(['search', '--remote', './skills'], { home })).stdout).toMatch(/mail[^]*pdf/);
  expect((await skillplane(['search', 'forms', '--remote', 'pdf.skill'], { home })).stdout).toMatch(/^pdf {2}/);
});

test('search --remote names the file that is broken', async () => {
  const home = makeTree({
    ...SKILLS,
    '.claude-plugin/marketplace.json': '{"plugins": 3}',
    'x/y/z/SKILL.md': '---\n---\n',
  });
  const { code, stderr } = await skillplane(['search', '--remote', '.'], { home });
  expect(code).toBe(0);
  expect(stderr).toContain('.claude-plugin/marketplace.json: it is not a marketplace');
  expect(stderr).toContain('x/y/z/SKILL.md: no description');
});
