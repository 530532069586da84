import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

import type { Client, Progress } from '@modelcontextprotocol/client';
import { describe, expect, onTestFinished, test } from 'vitest';

import { connectHttp, connectStdio, dataOf, type Era } from '../support/mcp-client.ts';
import { startHttp } from '../support/mcp-process.ts';
import { makeTree, skillText, writeTree } from '../support/tree.ts';

const CASES: readonly [transport: string, era: Era][] = [
  ['stdio', 'modern'],
  ['stdio', 'legacy'],
  ['http', 'modern'],
  ['http', 'legacy'],
];

/** Ends a script's step when the client has heard it: the test then writes this file into the folder `$1`. */
const waitForFile = (name: string): string => `while [ ! -e "$1/${name}" ]; do sleep 0.02; done`;

/** The scripts run without a sandbox, so that they and the test can find each other's files. */
const HOME = {
  '.agent/config.yaml': 'skills:\n  sandbox: off\n',
  '.agent/skills/slow/SKILL.md': skillText({ name: 'slow', description: 'Takes its time.' }),
  '.agent/skills/slow/scripts/steps.sh': `#!/bin/sh\nfor step in one two three; do echo "step $step"; ${waitForFile('$step')}; done\n`,
  '.agent/skills/slow/scripts/forever.sh': '#!/bin/sh\necho $$ > "$1"\nwhile true; do sleep 0.1; done\n',
};

describe.each(CASES)('MCP over %s, %s protocol:', (transport, era) => {
  const connect = async (home: string): Promise<Client> => {
    if (transport === 'stdio') {
      const client = await connectStdio(home, { era, args: ['--allow-scripts'] });
      onTestFinished(() => client.close());
      return client;
    }
    const server = await startHttp(home, ['--allow-scripts']);
    onTestFinished(async () => void (await server.stop()));
    return connectHttp(server.url, { era, headers: server.headers });
  };

  test('a client that asked for progress hears what a script prints while it runs', async () => {
    const home = makeTree(HOME);
    const client = await connect(home);
    const heard: Progress[] = [];
    const onprogress = (progress: Progress): void => {
      heard.push(progress);
      writeFileSync(join(home, progress.message?.replace('step ', '') ?? 'none'), '');
    };
    const answer = await client.callTool(
      { name: 'run_skill_script', arguments: { name: 'slow', script: 'steps.sh', args: [home] } },
      { onprogress },
    );
    expect(dataOf(answer)).toMatchObject({ succeeded: true });
    expect(heard.map(({ message }) => message)).toEqual(['step one', 'step two', 'step three']);
    expect(heard.map(({ progress }) => progress)).toEqual([1, 2, 3]);
  });

  // Without sessions, the older protocol cannot say over HTTP which call is meant: its clients hang up instead.
  test('cancelling a call stops its script', async ({ skip }) => {
    skip(transport === 'http' && era === 'legacy', 'older clients have no session in which they could cancel a call');
    const home = makeTree(HOME);
    const client = await connect(home);
    const { call, pid, abort } = await startForever(client, home);
    abort();
    await expect(call).rejects.toThrow(/enough|abort/i);
    await ended(pid);
    expect((await client.listTools()).tools.length).toBeGreaterThan(0);
  });

  test('a script ends when its client vanishes', async () => {
    const home = makeTree(HOME);
    const client = await connect(home);
    const { call, pid } = await startForever(client, home);
    await client.close();
    await ended(pid);
    await expect(call).rejects.toThrow(/closed|abort/i);
  });
});

test('a script that prints thousands of lines does not flood a client that asked for progress', async () => {
  const home = makeTree({
    ...HOME,
    '.agent/skills/slow/scripts/flood.sh': `#!/bin/sh\nseq 1 20000\n${waitForFile('20000')}\nprintf "\\033[2Jlast\\n"\n${waitForFile('[2Jlast')}\n`,
  });
  const client = await connectStdio(home, { era: 'modern', args: ['--allow-scripts'] });
  onTestFinished(() => client.close());
  const heard: (string | undefined)[] = [];
  const onprogress = ({ message = 'none' }: Progress): void => {
    heard.push(message);
    writeFileSync(join(home, message), '');
  };
  await client.callTool(
    { name: 'run_skill_script', arguments: { name: 'slow', script: 'flood.sh', args: [home] } },
    { onprogress },
  );
  expect(heard.length).toBeLessThan(50);
  expect(heard).toContain('20000');
  expect(heard).toContain('[2Jlast');
});

test('without --allow-scripts, MCP has no tool to run scripts', async () => {
  const client = await connectStdio(makeTree(HOME), { era: 'modern' });
  onTestFinished(() => client.close());
  expect((await client.listTools()).tools.map(({ name }) => name)).not.toContain('run_skill_script');
  await expect(client.callTool({ name: 'run_skill_script', arguments: {} })).rejects.toMatchObject({ code: -32_602 });
});

test('with --allow-scripts, an untrusted skill still runs nothing', async () => {
  const home = makeTree(HOME);
  writeTree(home, {
    'project/.git/': '',
    'project/.agents/skills/theirs/SKILL.md': skillText({ name: 'theirs', description: 'From the project.' }),
    'project/.agents/skills/theirs/scripts/go.sh': '#!/bin/sh\ntouch "$1"\n',
  });
  const args = ['--allow-scripts', '--cwd', join(home, 'project')];
  const client = await connectStdio(home, { era: 'modern', args });
  onTestFinished(() => client.close());
  const mark = join(home, 'mark');
  const answer = await client.callTool({
    name: 'run_skill_script',
    arguments: { name: 'theirs', script: 'go.sh', args: [mark] },
  });
  expect(answer).toMatchObject({ isError: true, _meta: { 'skillplane/code': 'NOT_TRUSTED' } });
  expect(existsSync(mark)).toBe(false);
});

async function startForever(
  client: Client,
  home: string,
): Promise<{ readonly call: Promise<unknown>; readonly pid: number; readonly abort: () => void }> {
  const file = join(home, 'pid');
  const controller = new AbortController();
  const call = client.callTool(
    { name: 'run_skill_script', arguments: { name: 'slow', script: 'forever.sh', args: [file] } },
    { signal: controller.signal },
  );
  call.catch(() => undefined);
  while (!existsSync(file) || readFileSync(file, 'utf8').trim() === '') await sleep(10);
  return { call, pid: Number(readFileSync(file, 'utf8')), abort: () => controller.abort('enough') };
}

/** Waits until a process is gone, at most for the time limit of the test. */
async function ended(pid: number): Promise<void> {
  for (;;) {
    try {
      process.kill(pid, 0);
    } catch {
      return;
    }
    await sleep(10);
  }
}
