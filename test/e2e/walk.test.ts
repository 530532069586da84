import { existsSync, lstatSync, readdirSync, readFileSync, readlinkSync } from 'node:fs';
import { join } from 'node:path';

import { expect, test } from 'vitest';

import { HOSTS } from '../../src/hosts/all-hosts.ts';
import { viewHost } from '../../src/hosts/seeing/view-host.ts';
import type { HostId } from '../../src/model/agents.ts';
import { answerOnTerminal, KEYS, skillplane, type Answer } from '../support/command-line.ts';
import { makeRepository } from '../support/git-repositories.ts';
import { snapshotTree } from '../support/snapshot.ts';
import { makeTree, skillText, type Tree } from '../support/tree.ts';

const skill = (name: string, more = ''): string => skillText({ name, description: `Does ${name}.` }, `Text.\n${more}`);
const REPOSITORY: Tree = Object.fromEntries(
  ['csv-report', 'mail', 'tdd'].map((name) => [`skills/${name}/SKILL.md`, skill(name)]),
);

/** A home with Claude Code and Codex, each with a skill of its own. */
function makeHome(): string {
  return makeTree({
    '.claude/skills/theirs/SKILL.md': skill('theirs'),
    '.claude/settings.json': '{ "a": 1 }\n',
    '.codex/config.toml': '# mine\n',
  });
}

/** The names in an agent's list, as `explain` replays it. */
function listOf(id: HostId, home: string): readonly string[] {
  const { skills } = viewHost(HOSTS[id], { cwd: home, home, variables: { HOME: home } });
  return skills.filter(({ standing }) => standing === 'described').map((seen) => seen.skill.name);
}

const lists = (home: string): readonly (readonly string[])[] => [listOf('claude-code', home), listOf('codex', home)];

/** Every link below the home; all of them lead somewhere. */
function listLinks(home: string): readonly string[] {
  const links = readdirSync(home, { recursive: true, encoding: 'utf8' })
    .filter((path) => lstatSync(join(home, path)).isSymbolicLink())
    .sort();
  expect(links.filter((path) => !existsSync(join(home, path)))).toEqual([]);
  return links;
}

const onTerminal = async (home: string, args: readonly string[], answers: readonly Answer[]): Promise<string> => {
  const { code, shown } = await answerOnTerminal(args, { home, columns: 80, answers });
  expect(code).toBe(0);
  return shown.replaceAll(/\s+/g, ' ');
};

test('two skills reach the agents by one command and three questions, leave by disable and remove, and undoing restores every byte', async () => {
  const home = makeHome();
  const before = snapshotTree(home, ['.agent']);
  const shown = await onTerminal(
    home,
    ['install', makeRepository(REPOSITORY).url],
    [
      ['Which skills do you want? (3 found)', `${KEYS.tab}${KEYS.down}${KEYS.tab}${KEYS.enter}`],
      ['Which agents should get your skills?', KEYS.enter],
      ['Install csv-report and mail for Claude Code and Codex?', KEYS.enter],
    ],
  );
  expect(shown).toContain('Claude Code and Codex can use csv-report and mail now (in new sessions).');
  expect(listLinks(home)).toEqual([
    '.agents/skills/csv-report',
    '.agents/skills/mail',
    '.claude/skills/csv-report',
    '.claude/skills/mail',
  ]);
  expect(lists(home)).toEqual([
    ['csv-report', 'mail', 'theirs'],
    ['csv-report', 'mail'],
  ]);

  expect((await skillplane(['disable', 'mail'], { home })).stdout).toBe(
    'Disabled mail. Claude Code and Codex no longer list it (in new sessions).\n',
  );
  expect((await skillplane(['disable', 'theirs'], { home })).stdout).toContain('Claude Code no longer lists it');
  expect(lists(home)).toEqual([['csv-report'], ['csv-report']]);

  expect((await skillplane(['enable', 'theirs', '--agent', 'codex'], { home })).code).toBe(0);
  expect(lists(home)).toEqual([['csv-report'], ['csv-report', 'theirs']]);

  expect(
    await onTerminal(home, ['remove', 'csv-report'], [['Claude Code and Codex will lose it.', KEYS.enter]]),
  ).toMatch(/Removed csv-report\. Claude Code and Codex no longer have it\.\s*$/);
  expect(listLinks(home)).toEqual(['.agents/skills/theirs']);
  expect((await skillplane(['sync', '--undo'], { home })).code).toBe(0);
  expect(snapshotTree(home, ['.agent'])).toEqual(before);
});

test('with --yes and --agent nothing is asked, and the agents are remembered for these skills alone', async () => {
  const home = makeHome();
  const { url } = makeRepository(REPOSITORY);
  const done = await skillplane(['install', url, '--skill', 'mail', '--to', 'claude-code', '-y'], { home });
  expect(done.stdout).toMatch(/Claude Code can use mail now \(in new sessions\)\.\n$/);
  expect(listLinks(home)).toEqual(['.claude/skills/mail']);
  const next = await skillplane(['install', url, '--skill', 'tdd', '-y', '--json'], { home });
  expect(JSON.parse(next.stdout)).toMatchObject({
    agents: [
      {
        name: 'tdd',
        agents: [
          { agent: 'claude-code', has: true },
          { agent: 'codex', has: true },
        ],
      },
    ],
  });
  expect(
    (await skillplane(['install', url, '--skill', 'csv-report', '-y', '--agent', 'none'], { home })).stdout,
  ).toContain('No agent has csv-report.');
  expect(listLinks(home)).toEqual(['.agents/skills/tdd', '.claude/skills/mail', '.claude/skills/tdd']);
  expect(await skillplane(['install', url, '--agent', 'claud', '-y'], { home })).toMatchObject({ code: 2 });
});

test('a new skill and agents set follow the same wish, and an update keeps the links', async () => {
  const home = makeHome();
  expect((await skillplane(['agents', 'set', 'claude-code'], { home })).stdout).toBe('Claude Code gets your skills.\n');
  expect(readFileSync(join(home, '.agent/config.yaml'), 'utf8')).toMatch(/agents:\s+- claude-code\n/);
  const created = await skillplane(['new', 'notes', '--description', 'Takes notes.', '--no-edit'], { home });
  expect(created.stdout).toContain('Claude Code can use notes now (in new sessions).');
  const repository = makeRepository(REPOSITORY);
  expect((await skillplane(['install', repository.url, '--skill', 'mail', '-y'], { home })).code).toBe(0);
  const target = readlinkSync(join(home, '.claude/skills/mail'));
  repository.commit({ 'skills/mail/SKILL.md': skill('mail', 'More.\n') });
  expect((await skillplane(['update', '-y'], { home })).code).toBe(0);
  expect(readlinkSync(join(home, '.claude/skills/mail'))).toBe(target);
  expect(readFileSync(join(home, '.claude/skills/mail/SKILL.md'), 'utf8')).toContain('More.');
  expect((await skillplane(['config', 'set', 'agents', 'codex'], { home })).code).toBe(0);
  expect((await skillplane(['enable', 'mail'], { home })).stdout).toContain('Codex can use mail now');
  expect((await skillplane(['agents', 'set', 'none'], { home })).stdout).toBe('No agent gets your skills.\n');
  expect(listLinks(home)).toEqual([]);
  const kept = await skillplane(['remove', 'notes', '--yes'], { home });
  expect(kept.stderr).toMatch(/Run `skillplane disable notes` to turn it off, or move \S+\/skills\/notes away\./);
  expect(existsSync(join(home, '.agent/skills/notes/SKILL.md'))).toBe(true);
});

test('an agent that has no switch is named when a skill in its folder is disabled', async () => {
  const home = makeTree({ '.cursor/skills/ads/SKILL.md': skill('ads') });
  const { stdout } = await skillplane(['disable', 'ads'], { home });
  expect(stdout).toMatch(/^Disabled ads\. Cursor still lists it: /);
  const shown = await skillplane(['show', '--agent', 'cursor', 'ads'], { home });
  expect(shown.stdout).toMatch(/! ads [\s\S]*disabled, but Cursor still lists it: .* Move \S+ads away\./);
  await skillplane(['enable', 'ads'], { home });
  await skillplane(['disable', 'ads', '--agent', 'cursor'], { home });
  const printed = await skillplane(['show', '--agent', 'cursor', 'ads', '--json'], { home });
  expect(JSON.parse(printed.stdout)).toMatchObject({
    skills: [{ status: 'enabled', reasons: [expect.stringMatching(/^disabled, but Cursor still lists it: /)] }],
  });
});
