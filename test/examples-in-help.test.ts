import { spawnSync } from 'node:child_process';

import { afterAll, beforeAll, expect, test } from 'vitest';

import { makeExampleWorld, type ExampleWorld } from './support/example-world.ts';
import { listHelpExamples, runExample } from './support/examples.ts';

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
