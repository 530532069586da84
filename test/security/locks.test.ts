import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readdirSync, readFileSync, utimesSync, writeFileSync } from 'node:fs';
import { hostname } from 'node:os';
import { join, resolve } from 'node:path';
import { createInterface } from 'node:readline';

import { describe, expect, onTestFinished, test } from 'vitest';

import { withLock } from '../../src/platform/files/lock.ts';
import { nextLine, sourceUrl, startModule } from '../support/child.ts';
import { NO_NAMESPACES, runInNamespace } from '../support/pid-namespaces.ts';
import { propertyRuns } from '../support/property-runs.ts';
import { makeTree, skillText } from '../support/tree.ts';

const IMPORTS = `
  import { existsSync, readFileSync } from 'node:fs';
  import { replaceFile } from ${JSON.stringify(sourceUrl('platform/files/replace-file.ts'))};
  import { withLock } from ${JSON.stringify(sourceUrl('platform/files/lock.ts'))};
  const [path, rounds] = process.argv.slice(1);`;

/** Counts up in a file; every update that is lost or refused is missing at the end. */
const COUNT = `${IMPORTS}
  let failures = 0;
  for (let round = 0; round < Number(rounds); round += 1) {
    const counted = await withLock(path, async ({ check }) => {
      const count = Number(readFileSync(path, 'utf8'));
      await new Promise(setImmediate);
      return replaceFile(path, String(count + 1), { check });
    }, { patienceMs: 60_000 });
    if (!counted.ok) failures += 1;
  }
  console.log(process.pid, failures);`;

describe(`two containers that share a folder${NO_NAMESPACES}`, () => {
  test.skipIf(NO_NAMESPACES !== '')(
    'lose none of many updates, although each has the id 1 at home',
    async () => {
      const dir = makeTree({ counter: '0' });
      const path = join(dir, 'counter');
      const rounds = propertyRuns(1_000);
      const count = (): Promise<string> => runInNamespace(COUNT, [path, String(rounds)]);
      const answers = await Promise.all([count(), count()]);
      expect(answers.map((answer) => answer.split(' ')[1])).toEqual(['0', '0']);
      expect(readFileSync(path, 'utf8')).toBe(String(2 * rounds));
      expect(readdirSync(dir)).toEqual(['counter']);
    },
    300_000,
  );

  test.skipIf(NO_NAMESPACES !== '')('do not take the lock of a process whose id means nothing to them', async () => {
    const dir = makeTree({ counter: '0' });
    const path = join(dir, 'counter');
    const tried = await withLock(path, async () => ({
      ok: true,
      answer: await runInNamespace(
        `${IMPORTS}
        const tried = await withLock(path, async () => ({ ok: true }), { patienceMs: 200 });
        console.log(tried.message);`,
        [path],
      ),
    }));
    expect(tried).toMatchObject({
      ok: true,
      answer: `process ${process.pid} of another container or machine (${hostname()}) holds ${path}.lock`,
    });
  });
});

test('a process that was suspended while another took its lock over writes nothing when it resumes', async () => {
  const path = join(makeTree({ file: 'old' }), 'file');
  const slow = startModule(
    `${IMPORTS}
    const written = await withLock(path, async ({ check }) => {
      console.log('held');
      while (!existsSync(path + '.go')) await new Promise((resolve) => setTimeout(resolve, 10));
      return replaceFile(path, 'too late', { check });
    });
    console.log(written.message);`,
    [path],
  );
  await nextLine(slow);
  slow.kill('SIGSTOP');
  // It stops giving signs of life; a minute passes.
  const silent = Date.now() / 1_000 - 60;
  utimesSync(`${path}.lock`, silent, silent);
  const taken = await withLock(path, async () => {
    writeFileSync(path, 'new');
    return { ok: true };
  });
  expect(taken).toEqual({ ok: true });
  const said = nextLine(slow);
  writeFileSync(`${path}.go`, '');
  slow.kill('SIGCONT');
  expect(await said).toContain('another process took over the lock');
  expect(readFileSync(path, 'utf8')).toBe('new');
  expect(existsSync(`${path}.lock`)).toBe(false);
});

test('the lock of a killed process is taken over at once, and that of an unrelated process with its id after 30 seconds', async () => {
  const path = join(makeTree({ file: 'old' }), 'file');
  const holder = startModule(
    `${IMPORTS}
    await withLock(path, async () => {
      console.log('held');
      await new Promise((resolve) => setTimeout(resolve, 60_000));
      return { ok: true };
    });`,
    [path],
  );
  await nextLine(holder);
  const token = readFileSync(`${path}.lock`, 'utf8');
  holder.kill('SIGKILL');
  await once(holder, 'close');
  const take = (): Promise<object> => withLock(path, async () => ({ ok: true }), { patienceMs: 0 });
  expect(await take()).toEqual({ ok: true });
  // Its id now belongs to another process, this one.
  writeFileSync(`${path}.lock`, token.replace(/^\d+/, String(process.pid)));
  expect(await take()).toMatchObject({ ok: false });
  const silent = Date.now() / 1_000 - 31;
  utimesSync(`${path}.lock`, silent, silent);
  expect(await take()).toEqual({ ok: true });
});

test('a command that waits for another process says why and for whom', async () => {
  const home = makeTree({ 'origin/SKILL.md': skillText({ name: 'origin', description: 'x' }), 'project/.git/': '' });
  const account = join(home, '.agent/skills-lock.yaml');
  const held = await withLock(account, async () => {
    const command = spawn(process.execPath, [resolve('bin/skillplane.mjs'), 'install', join(home, 'origin'), '--yes'], {
      cwd: join(home, 'project'),
      env: { HOME: home, PATH: process.env['PATH'] ?? '' },
      stdio: ['ignore', 'ignore', 'pipe'],
    });
    onTestFinished(() => void command.kill('SIGKILL'));
    const exited = once(command, 'exit');
    for await (const line of createInterface({ input: command.stderr }))
      if (line.startsWith('Waiting')) return { ok: true, line, exited: [exited] };
    return { ok: true, line: '', exited: [exited] };
  });
  expect(held).toMatchObject({
    ok: true,
    line: `Waiting: process ${process.pid} holds ~/.agent/skills-lock.yaml.lock.`,
  });
  expect(held.ok && (await held.exited[0])).toEqual([0, null]);
});
