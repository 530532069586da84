import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';

import { afterAll, beforeAll, expect, test } from 'vitest';

import { makeExampleWorld, type ExampleWorld } from './support/example-world.ts';
import { listHelpExamples, runExample, runExampleIn } from './support/examples.ts';

let world: ExampleWorld;
beforeAll(async () => {
  world = await makeExampleWorld();
});
afterAll(() => world[Symbol.dispose]());

test.for(listHelpExamples())('the example `skillplane $line` in $pages can be run', async (example, { skip }) => {
  const isForFish = example.line.includes('| source');
  skip(isForFish && spawnSync('fish', ['--version']).error !== undefined, 'fish is not installed');
  const { code, output } = await runExample(example, world);
  expect([example.line, code, output]).toEqual([example.line, example.code, output]);
});

test('a user can remove ~/.agent with `rm -rf` after `run`, and after every command one after the other', async () => {
  const { installed } = world;
  const folder = join(installed.home, '.agent');
  const remove = (): unknown => {
    const { status, stderr } = spawnSync('rm', ['-rf', folder], { encoding: 'utf8' });
    return { status, stderr, isThere: existsSync(folder) };
  };
  installed.restore();
  expect(await runExampleIn(installed, RUN)).toMatchObject({ code: 0 });
  expect(remove()).toEqual({ status: 0, stderr: '', isThere: false });
  installed.restore();
  // Later commands may meet what earlier ones have removed, so their codes do not count here.
  for (const example of listHelpExamples().filter(({ line }) => !line.includes('|')))
    await runExampleIn(installed, { ...example, isStarted: /^(?:mcp|console|serve)\b/.test(example.line) });
  expect(existsSync(folder)).toBe(true);
  expect(remove()).toEqual({ status: 0, stderr: '', isThere: false });
});

const RUN = { line: 'run pdf count.sh', code: 0, pages: '', isRisky: false, isStarted: false };
