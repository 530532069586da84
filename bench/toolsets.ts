import { spawnSync } from 'node:child_process';
import { join } from 'node:path';

import { makeTemporaryTree } from '../src/platform/files/temporary-tree.ts';
import { LIBRARY } from './process.ts';
import { ms, type Section } from './table.ts';

const CALLS = 50;

interface Measured {
  readonly firstMs: number;
  readonly nextMs: number;
  readonly slowestMs: number;
  readonly beforeMb: number;
  readonly afterFirstMb: number;
  readonly afterAllMb: number;
}

/** Calls the tool of a toolset again and again, in a process of its own. */
export function measureToolsets(): Section {
  using files = makeTemporaryTree({
    'home/.agent/skills/hello/SKILL.md':
      '---\nname: hello\ndescription: Says hello.\ntoolsets: [toolsets/index:Tools]\n---\n\n# Hello\n',
    'home/.agent/skills/hello/toolsets/index.ts': TOOLSET,
  });
  const measured = callInProcess(join(files.root, 'home'));
  const mb = (value: number): string => `${value.toFixed(0)} MB`;
  return {
    title: 'Calls of a toolset',
    note: `A toolset in TypeScript with a zod schema, called ${CALLS} times by one process: the first call, the median and slowest of the others, and the memory of the process (RSS). Goal: under 5 ms a call after the first, and flat memory.`,
    columns: ['first', 'next', 'slowest', 'memory before', 'after the first', `after ${CALLS}`],
    rows: [
      [
        ms(measured.firstMs),
        ms(measured.nextMs),
        ms(measured.slowestMs),
        mb(measured.beforeMb),
        mb(measured.afterFirstMb),
        mb(measured.afterAllMb),
      ],
    ],
  };
}

const TOOLSET = `
import { Tool } from '@agent/tools';
import { z } from 'zod';
export const Tools = [Tool.define('greet', {
  description: 'Greets.',
  parameters: z.object({ name: z.string() }),
  execute: ({ name }) => 'Hello, ' + name,
})];`;

const PROGRAM = `
  import { openSkills } from ${JSON.stringify(LIBRARY)};
  const home = process.cwd();
  await using skills = await openSkills({ cwd: home, home, env: { HOME: home } });
  const memory = () => process.memoryUsage.rss() / 1024 / 1024;
  const times = [];
  const call = async () => {
    const start = performance.now();
    const result = await skills.toolsets.call('hello', 'greet', { args: { name: 'you' } });
    if (!result.ok) throw new Error(result.message);
    times.push(performance.now() - start);
  };
  const beforeMb = memory();
  await call();
  const afterFirstMb = memory();
  for (let count = 1; count < ${CALLS}; count += 1) await call();
  const [firstMs, ...next] = times;
  next.sort((a, b) => a - b);
  const [nextMs, slowestMs] = [next[Math.floor(next.length / 2)], next.at(-1)];
  console.log(JSON.stringify({ firstMs, nextMs, slowestMs, beforeMb, afterFirstMb, afterAllMb: memory() }));`;

function callInProcess(home: string): Measured {
  const child = spawnSync(process.execPath, ['--input-type=module', '-e', PROGRAM], { cwd: home });
  if (child.status !== 0) throw new Error(child.stderr.toString());
  return JSON.parse(child.stdout.toString());
}
