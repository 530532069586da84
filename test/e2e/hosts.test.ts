import { existsSync, readFileSync, readlinkSync } from 'node:fs';
import { join } from 'node:path';

import { describe, expect, test } from 'vitest';

import { skillplane, type CommandResult } from '../support/command-line.ts';
import { snapshotTree } from '../support/snapshot.ts';
import { makeTree, skillText, type Tree } from '../support/tree.ts';

const skill = (name: string): string => skillText({ name, description: `Helps with ${name}.` }, `Do ${name}.`);

function makeHome(tree: Tree = {}): string {
  return makeTree({
    '.agent/config.yaml': 'skills:\n  disabledSources: [bundled]\n',
    '.agent/skills/mail/SKILL.md': skill('mail'),
    '.claude/skills/pdf/SKILL.md': skill('pdf'),
    '.claude/settings.json': '{ "skillOverrides": { "draft": "off" } } // mine\n',
    '.claude/skills/draft/SKILL.md': skill('draft'),
    '.codex/config.toml': '# mine\n',
    '.config/goose/skills/honk/SKILL.md': skill('honk'),
    ...tree,
  });
}

function run(home: string, ...args: readonly string[]): Promise<CommandResult> {
  return skillplane(args, { home });
}

describe('hosts', () => {
  test('lists the agents on this machine, what each sees and hides, and whether it is connected', async () => {
    const { code, stdout } = await run(makeHome(), 'hosts');
    expect(code).toBe(0);
    expect(stdout).toMatch(
      /^Claude Code +not connected +1 skill listed, 1 hidden\n +1 hidden \(draft\): turned off in .*\n/,
    );
    expect(stdout).toMatch(/^Codex +not connected +0 skills listed$/m);
    expect(stdout).toMatch(/^Goose +folder only +1 skill listed$/m);
    expect(stdout).toMatch(/^Not found: .*Gemini/m);
    expect(stdout).toContain('Your skills go to Claude Code and Codex. Change it with `skillplane agents set`.');
  });

  test('lists each folder once, also in the home directory', async () => {
    const { hosts } = JSON.parse((await run(makeHome({ '.cursor/': '' }), 'agents', '--json')).stdout);
    const paths = hosts[2].folders.map(({ path }: { readonly path: string }) => path);
    expect([hosts[2].id, paths]).toEqual(['cursor', [...new Set(paths)]]);
  });

  test('--json prints the same facts', async () => {
    const { hosts } = JSON.parse((await run(makeHome(), 'hosts', '--json')).stdout);
    expect(hosts).toHaveLength(6);
    expect(hosts[0]).toMatchObject({
      id: 'claude-code',
      isPresent: true,
      counts: { described: 1, named: 0, hidden: 1, lost: 0 },
      connection: { hasServer: false, recordsUse: false, log: {} },
    });
  });
});

describe('explain', () => {
  test('says which skills an agent shows its model, which it hides, and why', async () => {
    const { code, stdout } = await run(makeHome(), 'explain', 'claude-code');
    expect(code).toBe(0);
    expect(stdout).toMatch(/✓ 1 listed with description\n +pdf/);
    expect(stdout).toMatch(/1 hidden[\s\S]*draft[\s\S]*skillOverrides/);
  });

  test('says that a small window leaves only names, and what helps', async () => {
    const { stdout } = await run(makeHome(), 'explain', 'claude-code', '--window', '1000');
    expect(stdout).toMatch(/Skill list too long: [\d,]+ of [\d,]+ characters \(1 % of a window of 1000 tokens/);
    expect(stdout).toMatch(/~ 1 listed by name only\n +pdf[\s\S]*→ .*skillListingBudgetFraction/);
  });

  test('counts characters per token by the model', async () => {
    const limitFor = async (model: string): Promise<unknown> =>
      JSON.parse(
        (await run(makeHome(), 'explain', 'claude-code', '--window', '200000', '--model', model, '--json')).stdout,
      ).room.limit;
    expect([await limitFor('claude-haiku-4-5'), await limitFor('claude-opus-9')]).toEqual([8_000, 6_000]);
  });

  test('explains a skill that the agent does not see', async () => {
    const { code, stdout } = await run(makeHome(), 'explain', 'codex', 'mail');
    expect(code).toBe(0);
    expect(stdout).toMatch(/✗ mail +not visible/);
    expect(stdout).toContain('→ ');
    const home = makeHome();
    const nowhere = JSON.parse((await skillplane(['explain', 'codex', 'nope', '--json'], { home, cwd: home })).stdout);
    expect(nowhere).toMatchObject({ standing: 'unseen', because: expect.stringContaining('neither does Skillplane') });
    const read: readonly string[] = nowhere.next.advice.match(/\/[^\s,]+(?=[,.])/g);
    expect(read).toEqual([...new Set(read)]);
  });

  test('understands which agent is meant', async () => {
    expect((await run(makeHome(), 'explain', 'claude')).stdout).toMatch(/^Claude Code \(/);
  });

  test('lists only the folders of agents without rules of their own', async () => {
    expect((await run(makeHome(), 'explain', 'goose')).stdout).toMatch(
      /Goose \(only its folders are known\)\n.*\n +honk/,
    );
  });

  test.each([
    [['coddex'], 'unknown agent "coddex"\nDid you mean codex?'],
    [['nobody'], 'unknown agent "nobody"\nKnown agents: claude-code'],
    [['claude-code', '--window', 'wide'], '--window takes a whole number'],
  ])('refuses wrong usage: %j', async (args, message) => {
    const { code, stderr } = await run(makeHome(), 'explain', ...args);
    expect(code).toBe(2);
    expect(stderr).toContain(message);
  });
});

test('show lists a skill that the agent itself switched off', async () => {
  const home = makeHome();
  const { stdout } = await run(home, 'show', '--host', 'claude-code');
  expect(stdout).toMatch(/draft[\s\S]*skillOverrides/);
  expect((await run(home, 'show')).stdout).not.toContain('skillOverrides');
});

test('sync plans, checks, applies, hides one skill from one agent, and undoes it byte for byte', async () => {
  // It reads the folder in which Codex finds the skill, so that a switch is needed.
  const home = makeHome({ '.gemini/settings.json': '{}\n' });
  const before = snapshotTree(home, ['.agent']);
  const plan = await run(home, 'sync', '--dry-run');
  expect(plan.code).toBe(0);
  expect(plan.stdout).toMatch(/\+ mail → \S+\/\.agent\/skills\/mail\n/);
  expect((await run(home, 'sync', '--check')).code).toBe(1);
  expect(snapshotTree(home, ['.agent'])).toEqual(before);
  expect((await run(home, 'sync')).code).toBe(0);
  expect(readlinkSync(join(home, '.claude/skills/mail'))).toBe(join(home, '.agent/skills/mail'));
  expect((await run(home, 'sync', '--check')).code).toBe(0);
  expect((await run(home, 'disable', 'mail', '--host', 'codex')).code).toBe(0);
  expect((await run(home, 'sync', '--check')).code).toBe(0);
  expect(readFileSync(join(home, '.codex/config.toml'), 'utf8')).toMatch(/^# mine\n[\s\S]*enabled = false/);
  expect((await run(home, 'enable', 'mail', '--host', 'codex')).code).toBe(0);
  expect(readFileSync(join(home, '.codex/config.toml'), 'utf8')).toBe('# mine\n');
  expect((await run(home, 'sync', '--undo')).code).toBe(0);
  expect(existsSync(join(home, '.agents'))).toBe(false);
  const after = { ...snapshotTree(home, ['.agent']) };
  // The one copy that is kept of a file before its first change.
  delete after['.codex/config.toml.bak'];
  expect(after).toEqual(before);
});
