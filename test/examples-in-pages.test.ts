import { afterAll, beforeAll, expect, test } from 'vitest';

import { makeExampleWorld, type ExampleWorld } from './support/example-world.ts';
import { listPageExamples, runExample } from './support/examples.ts';

let world: ExampleWorld;
beforeAll(async () => {
  world = await makeExampleWorld();
});
afterAll(() => world[Symbol.dispose]());

test.for(listPageExamples())('the example `skillplane $line` in $pages can be run', async (example) => {
  const { code, output } = await runExample(example, world);
  expect([example.line, code, output]).toEqual([example.line, example.code, output]);
});
