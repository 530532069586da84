import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import { describe, expect, test } from 'vitest';

import { skillplane, type CommandResult } from '../support/command-line.ts';
import { makeRepository, type TestRepository } from '../support/git-repositories.ts';
import { readInstalled } from '../support/installed.ts';
import { makeTree, skillText } from '../support/tree.ts';

const skill = (name: string, body = 'One.\n'): string => skillText({ name, description: `Does ${name}.` }, body);

interface Setting {
  readonly home: string;
  readonly repository: TestRepository;
  readonly run: (...args: readonly string[]) => CommandResult;
  /** With `--json`, parsed. */
  readonly json: (...args: readonly string[]) => unknown;
}

function makeSetting(cwd?: string): Setting {
  const repository = makeRepository({ 'skills/a/SKILL.md': skill('a'), 'skills/b/SKILL.md': skill('b') });
  const home = makeTree();
  const run = (...args: readonly string[]): CommandResult =>
    skillplane(args, { home, ...(cwd === undefined ? {} : { cwd }) });
  return { home, repository, run, json: (...args) => JSON.parse(run(...args, '--json').stdout) };
}

describe('hold', () => {
  test('keeps update away from a plugin until unhold, and everything that lists it says so', () => {
    const { home, repository, run, json } = makeSetting();
    expect(run('install', repository.url, '--all', '--yes').code).toBe(0);
    const first = readInstalled(home)['a']?.locked.commit;
    expect(run('hold', 'a', 'b').stdout).toMatch(/^a is held at [0-9a-f]{12}: .*\nb is held/);
    expect(run('hold', 'a').stdout).toBe('a was held already.\n');
    expect(json('unhold', 'b')).toMatchObject({ ok: true, name: 'b', held: false, changed: true });
    const now = repository.commit({
      'skills/a/SKILL.md': skill('a', 'Two.\n'),
      'skills/b/SKILL.md': skill('b', '2\n'),
    });
    expect(json('outdated')).toMatchObject({ outdated: [{ name: 'b' }], held: ['a'] });
    expect(run('plugins').stdout).toMatch(/^a .*\(enabled, held\)$/m);
    expect(run('info', 'a').stdout).toMatch(/State +enabled, held/);
    const updated = run('update', '--yes');
    expect(updated.stdout).toContain('Held: a. `skillplane unhold`');
    expect(updated.stdout).toContain('1 updated, 0 up to date');
    expect(json('update', 'a', '--yes')).toMatchObject({ updated: [], held: ['a'] });
    expect(readInstalled(home)).toMatchObject({ a: { locked: { commit: first } }, b: { locked: { commit: now } } });
    expect(run('unhold', 'a').code).toBe(0);
    expect(json('update', '--yes')).toMatchObject({ updated: [{ name: 'a' }], held: [] });
    expect(readFileSync(join(home, '.agent/skills-lock.yaml'), 'utf8')).not.toContain('held');
  });

  test('survives a rollback, and fails for a plugin that is not there', () => {
    const { home, repository, run, json } = makeSetting();
    expect(run('install', repository.url, '--skill', 'a', '--yes').code).toBe(0);
    repository.commit({ 'skills/a/SKILL.md': skill('a', 'Two.\n') });
    expect(run('update', '--yes').code).toBe(0);
    expect(run('rollback', 'a').stdout).toContain('`skillplane hold a` keeps');
    expect(run('hold', 'a').code).toBe(0);
    expect(run('update', '--yes').stdout).toContain('0 updated');
    expect(run('rollback', 'a').stdout).not.toContain('hold');
    expect(readInstalled(home)['a']?.locked).toMatchObject({ held: true });
    expect(json('hold', 'gone')).toMatchObject({ ok: false, code: 'SKILL_NOT_FOUND' });
  });

  test('of a project is in its own lock', () => {
    const cwd = makeTree({ '.git/HEAD': '' });
    const { repository, run } = makeSetting(cwd);
    expect(run('install', repository.url, '--skill', 'a', '--project', '--yes').code).toBe(0);
    expect(run('hold', 'a', '--project').code).toBe(0);
    expect(readFileSync(join(cwd, '.agent/skills-lock.yaml'), 'utf8')).toContain('    held: true\n');
  });
});
