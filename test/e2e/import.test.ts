import { existsSync, lstatSync, mkdirSync, readFileSync, readlinkSync } from 'node:fs';
import { join } from 'node:path';

import { expect, test } from 'vitest';
import { parse } from 'yaml';

import { answerOnTerminal, KEYS, skillplane } from '../support/command-line.ts';
import { makeRepository, type TestRepository } from '../support/git-repositories.ts';
import { snapshot } from '../support/install-world.ts';
import { makeTree, skillText } from '../support/tree.ts';

const skill = (name: string): string => skillText({ name, description: `Does ${name}.` });

/** A home in which `skills` installed pdf, and dotagents mail, which was edited since. */
function makeHome(): { readonly home: string; readonly repository: TestRepository } {
  const repository = makeRepository({ 'skills/pdf/SKILL.md': skill('pdf'), 'skills/mail/SKILL.md': skill('mail') });
  const entry = { source: 'o/r', sourceType: 'git', sourceUrl: repository.url, skillPath: 'skills/pdf/SKILL.md' };
  const commit = repository.git(['rev-parse', 'HEAD']).trim();
  const home = makeTree({
    '.agents/.skill-lock.json': JSON.stringify({ version: 3, skills: { pdf: entry } }),
    '.agents/agents.lock': `version = 1\n[skills.mail]\nsource = "o/r"\nresolved_url = "${repository.url}"\nresolved_path = "skills/mail"\nresolved_commit = "${commit}"\n`,
    '.agents/skills/pdf/SKILL.md': skill('pdf'),
    '.agents/skills/mail/SKILL.md': `${skill('mail')}Edited.\n`,
    '.claude/plugins/installed_plugins.json': 'broken',
  });
  return { home, repository };
}

const readLock = (home: string) => parse(readFileSync(join(home, '.agent/skills-lock.yaml'), 'utf8')).skills;

test('import takes over skills of other tools with origin, commit and digest, and leaves their files alone', async () => {
  const { home, repository } = makeHome();
  const before = [snapshot(join(home, '.agents')), snapshot(join(home, '.claude/plugins'))];
  const { code, stdout, stderr } = await skillplane(['import', '--yes'], { home });
  expect([code, stderr]).toEqual([0, expect.stringContaining('installed_plugins.json: it is not a list of plugins')]);
  expect(stdout).toContain(`pdf, from skills: ${repository.url} at `);
  expect(stdout).toMatch(/mail, from dotagents: .*\(the folder here, since .* has other files/);
  const digest = expect.stringMatching(/^sha256:/);
  const commit = repository.git(['rev-parse', 'HEAD']).trim();
  expect(readLock(home)).toMatchObject({
    pdf: { url: repository.url, commit, path: 'skills/pdf', digest },
    mail: { url: join(home, '.agents/skills/mail'), digest },
  });
  expect([snapshot(join(home, '.agents')), snapshot(join(home, '.claude/plugins'))]).toEqual(before);
  const again = await skillplane(['import', '--yes', '--json'], { home });
  expect([again.code, JSON.parse(again.stdout)]).toMatchObject([
    0,
    { ok: true, installed: [], present: ['mail', 'pdf'] },
  ]);
});

test('import asks, takes only the given names, and takes nothing without an answer', async () => {
  const { home } = makeHome();
  expect(await skillplane(['import'], { home })).toMatchObject({ code: 1, stderr: expect.stringContaining('--yes') });
  const answers = [
    ['Which agents should get your skills?', KEYS.enter],
    ['Import pdf for Claude Code?', 'y'],
  ] as const;
  expect(await answerOnTerminal(['import', 'pdf'], { home, columns: 80, answers })).toMatchObject({ code: 0 });
  expect(Object.keys(readLock(home))).toEqual(['pdf']);
  const unknown = await skillplane(['import', 'nothing'], { home });
  expect([unknown.code, unknown.stderr]).toEqual([1, expect.stringContaining('they have mail, pdf')]);
});

test('imported skills are given to your agents, and the answer names who has them and who has another copy', async () => {
  const { home } = makeHome();
  mkdirSync(join(home, '.codex'));
  const shown = await skillplane(['install', '--from-tools', '--yes'], { home });
  expect(readlinkSync(join(home, '.claude/skills/pdf'))).toBe(join(home, '.agent/plugins/pdf'));
  expect(shown.stdout.replaceAll(/\s+/g, ' ')).toContain(
    `Claude Code can use pdf now (in new sessions). Codex cannot: it has another pdf (${join(home, '.agents/skills/pdf')}). Move `,
  );
});

test('import gives skills to the agents of --agent alone, or to none', async () => {
  const { home } = makeHome();
  expect(await skillplane(['import', 'pdf', '--yes', '--agent', 'none'], { home })).toMatchObject({
    code: 0,
    stdout: expect.stringMatching(/No agent has pdf\./),
  });
  expect(existsSync(join(home, '.claude/skills'))).toBe(false);
  const given = await skillplane(['import', 'pdf', '--yes', '--agent', 'claude-code', '--json'], { home });
  expect(JSON.parse(given.stdout)).toMatchObject({
    ok: true,
    present: ['pdf'],
    agents: [
      { name: 'pdf', agents: expect.arrayContaining([expect.objectContaining({ agent: 'claude-code', has: true })]) },
    ],
  });
  expect(lstatSync(join(home, '.claude/skills/pdf')).isSymbolicLink()).toBe(true);
});

test('import -n shows the list and changes nothing', async () => {
  const { home } = makeHome();
  const before = snapshot(home);
  const { code, stdout } = await skillplane(['import', '-n', '--json'], { home });
  expect([code, JSON.parse(stdout)]).toMatchObject([
    0,
    { ok: true, dryRun: true, skills: [{ name: 'mail' }, { name: 'pdf' }], diagnostics: [{ code: 'CONFIG_INVALID' }] },
  ]);
  expect((await skillplane(['import', '-n'], { home })).stdout).toMatch(
    /\nNothing was changed: this was a dry run\.\n$/,
  );
  expect(snapshot(home)).toEqual(before);
});

test('import says so if no other tool was used', async () => {
  expect(await skillplane(['import'], { home: makeTree() })).toEqual({
    code: 0,
    stdout: 'No skills from other tools found.\n',
    stderr: '',
  });
});
