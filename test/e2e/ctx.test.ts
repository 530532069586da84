import { spawn, spawnSync, type ChildProcessByStdio } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { join, resolve } from 'node:path';
import type { Readable, Writable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { setTimeout as sleep } from 'node:timers/promises';

import { describe, expect, onTestFinished, test } from 'vitest';

import { skillplane, skillplaneProcess } from '../support/command-line.ts';
import { findByCommandLine, findSurvivors, oddSeconds } from '../support/processes.ts';
import { makeTree, skillText } from '../support/tree.ts';

function makeHome(seconds = '60'): string {
  return makeTree({
    '.agent/config.yaml': 'skills:\n  disabledSources: [bundled]\n',
    '.agent/skills/deployment/SKILL.md': skillText(
      { description: 'Puts it online.', tags: ['devops'] },
      '# Deployment Workflow\n\nCarefully.\n',
    ),
    '.agent/skills/deployment/scripts/slow.sh': `sleep ${seconds}\n`,
  });
}

const DEPLOYMENT = {
  id: 'deployment',
  name: 'Deployment Workflow',
  description: 'Puts it online.',
  tags: ['devops'],
  score: 0.9,
};

type Conversation = ChildProcessByStdio<Writable, Readable, Readable>;

/** A running `skillplane ctx -` that the test talks to. */
function converse(home: string): Conversation {
  const child = spawn(process.execPath, [resolve('bin/skillplane.mjs'), 'ctx', '-'], {
    cwd: home,
    env: { HOME: home, AGENT_HOME: join(home, '.agent'), PATH: process.env['PATH'] },
    stdio: ['pipe', 'pipe', 'pipe'],
  });
  onTestFinished(() => void child.kill('SIGKILL'));
  return child;
}

async function ask({ stdin, stdout }: Conversation, statement: string): Promise<unknown> {
  stdin.write(`${statement}\n`);
  const [chunk]: unknown[] = await once(stdout, 'data');
  return JSON.parse(String(chunk));
}

describe('ctx with one statement', () => {
  test('answers with JSON on stdout, with and without --json', async () => {
    const home = makeHome();
    for (const more of [[], ['--json']]) {
      const { code, stdout, stderr } = await skillplane(['ctx', '?s "deployment" #devops ^3', ...more], { home });
      expect([code, stderr]).toEqual([0, '']);
      expect(JSON.parse(stdout)).toEqual({ ok: true, results: [DEPLOYMENT] });
    }
  });

  test('stores, updates and removes a skill across processes', async () => {
    const home = makeHome();
    const say = async (statement: string): Promise<{ readonly code: number | null; readonly answer: unknown }> => {
      const { code, stdout } = await skillplaneProcess(['ctx', statement], { home });
      return { code, answer: JSON.parse(stdout) };
    };
    const path = join(home, '.agent/skills/new-workflow/SKILL.md');
    const written = { code: 0, answer: { ok: true, id: 'new-workflow', path } };
    expect(await say('+s new-workflow "Steps: lint, test, deploy"')).toEqual(written);
    expect(await say('+s new-workflow "Again"')).toMatchObject({ code: 1, answer: { code: 'ALREADY_EXISTS' } });
    expect(await say('?s new-workflow ^1')).toMatchObject({ answer: { results: [{ id: 'new-workflow', score: 1 }] } });
    expect(await say('~s new-workflow "Lint."')).toEqual(written);
    expect(await say('!s new-workflow')).toMatchObject({ code: 0, answer: { ok: true, content: 'Lint.', tokens: 2 } });
    expect((await skillplane(['validate', path], { home })).code).toBe(0);
    expect(await say('-s new-workflow')).toEqual(written);
    expect(existsSync(path)).toBe(false);
    expect(await say('!s new-workflow')).toMatchObject({
      code: 1,
      answer: { ok: false, code: 'SKILL_NOT_FOUND', nearest: ['deployment'] },
    });
  });

  test('reads a file of a skill, and nothing outside the skill', async () => {
    const home = makeHome();
    const file = await skillplane(['ctx', '!s deployment/scripts/slow.sh'], { home });
    expect([file.code, JSON.parse(file.stdout)]).toMatchObject([0, { ok: true, content: 'sleep 60\n' }]);
    const outside = await skillplane(['ctx', '!s deployment/../../../.agent/config.yaml'], { home });
    expect([outside.code, JSON.parse(outside.stdout)]).toMatchObject([1, { ok: false, code: 'PATH_REFUSED' }]);
  });

  test('says where an invalid statement is wrong, and exits with 2', async () => {
    const home = makeHome();
    const { code, stdout, stderr } = await skillplane(['ctx', '  ?s 配置 two\u001B[31m words'], { home });
    expect(code).toBe(2);
    expect(JSON.parse(stdout)).toMatchObject({ ok: false, code: 'CTX_INVALID', position: 6 });
    expect(stderr).toBe(
      'skillplane: at position 6: found two\uFFFD[31m, expected a filter, "…" or key=value; put quotation marks around a text of several words\n',
    );
  });

  test('prints only JSON for an invalid statement with --json', async () => {
    const { code, stdout, stderr } = await skillplane(['ctx', '-z', '--json'], { home: makeHome() });
    expect([code, stderr]).toEqual([2, '']);
    expect(JSON.parse(stdout)).toMatchObject({ ok: false, code: 'CTX_INVALID', position: 1, found: 'z' });
  });

  test('refuses several arguments and none', async () => {
    const home = makeHome();
    expect(await skillplane(['ctx', '?s', 'deployment'], { home })).toMatchObject({ code: 2, stdout: '' });
    expect(await skillplane(['ctx'], { home })).toMatchObject({ code: 2, stdout: '' });
  });

  test('says that a plane is not served', async () => {
    const { code, stdout } = await skillplane(['ctx', '?k docs', '--json'], { home: makeHome() });
    expect(code).toBe(2);
    expect(JSON.parse(stdout)).toMatchObject({ code: 'CTX_INVALID', message: 'plane k is not served here' });
  });
});

describe('ctx with many statements', () => {
  test('answers each with one line, in order, even after invalid ones', async () => {
    const child = converse(makeHome());
    const lines = [
      '?s "deployment work"',
      '',
      '   ',
      'what?',
      '!s deployment\r',
      `?s ${'x'.repeat(400_000)}`,
      '?s "" ^1',
    ];
    child.stdin.end(lines.join('\n'));
    const [printed, complaints] = await Promise.all([text(child.stdout), text(child.stderr), once(child, 'close')]);
    expect([child.exitCode, complaints]).toEqual([1, '']);
    const answers = printed
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line) as object);
    expect(answers).toEqual([
      { ok: true, results: [DEPLOYMENT] },
      expect.objectContaining({ ok: false, code: 'CTX_INVALID', position: 0 }),
      expect.objectContaining({ ok: true, content: '# Deployment Workflow\n\nCarefully.' }),
      expect.objectContaining({ code: 'CTX_INVALID', message: expect.stringContaining('400003 bytes') }),
      { ok: true, results: [{ ...DEPLOYMENT, score: 0 }] },
    ]);
  });

  test('answers each before it reads the next, and sees changes made meanwhile', async () => {
    const home = makeHome();
    const child = converse(home);
    expect(await ask(child, '!s release')).toMatchObject({ code: 'SKILL_NOT_FOUND' });
    await skillplane(['ctx', '+s release "Tag, then push."'], { home });
    expect(await ask(child, '!s release')).toMatchObject({ ok: true, content: 'Tag, then push.' });
    expect(await ask(child, '-s release')).toMatchObject({ ok: true });
    expect(JSON.parse((await skillplane(['ctx', '!s release'], { home })).stdout)).toMatchObject({ ok: false });
    child.stdin.end();
    await once(child, 'close');
    expect(child.exitCode).toBe(1);
  });

  test('exits with 0 if none failed', async () => {
    const child = converse(makeHome());
    child.stdin.end('?s deployment\n\n');
    await Promise.all([text(child.stdout), once(child, 'close')]);
    expect(child.exitCode).toBe(0);
  });

  test('ends when its answers are no longer read', () => {
    const home = makeHome();
    const command = `yes '?s deployment' | "${process.execPath}" bin/skillplane.mjs ctx - | head -c 1`;
    const child = spawnSync('sh', ['-c', command], {
      encoding: 'utf8',
      timeout: 55_000,
      env: { HOME: home, AGENT_HOME: join(home, '.agent'), PATH: '/usr/bin:/bin' },
    });
    expect(child).toMatchObject({ status: 0, stdout: '{' });
  });

  test.each(['SIGINT', 'SIGTERM', 'SIGHUP'] as const)(
    'ends at %s, together with the script that it runs',
    async (signal) => {
      const seconds = oddSeconds();
      const home = makeHome(seconds);
      const waiting = converse(home);
      await ask(waiting, '?s deployment');
      waiting.kill(signal);
      await once(waiting, 'close');
      expect(waiting.exitCode).toBe(1);
      const running = converse(home);
      await ask(running, '?s deployment');
      running.stdin.write('>s deployment script=slow\n?s\n');
      while (findByCommandLine(`sleep\0${seconds}`).length === 0) await sleep(20);
      running.kill(signal);
      const [printed] = await Promise.all([text(running.stdout), once(running, 'close')]);
      expect(await findSurvivors(seconds)).toEqual([]);
      expect(printed.trimEnd().split('\n')).toHaveLength(1);
      expect(JSON.parse(printed)).toMatchObject({
        ok: false,
        code: 'SCRIPT_FAILED',
        message: 'the script was cancelled',
      });
      expect(running.exitCode).toBe(1);
    },
  );
});
