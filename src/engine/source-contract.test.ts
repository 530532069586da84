import { describe, expect, test } from 'vitest';

import { SOURCE_MAKERS } from '../../test/support/source-makers.ts';
import { defineSkill, memorySource } from '../sources/memory-source.ts';
import { sourceContract } from './source-contract.ts';

describe.each(Object.entries(SOURCE_MAKERS))('with skills in %s,', (_, make) => {
  test.for([...sourceContract(make)])('$title', async ({ run }) => {
    await expect(run()).resolves.toBeUndefined();
  });
});

test('a source that breaks a promise fails', async () => {
  const liar = defineSkill({ name: 'other', description: 'Something else.', instructions: 'x' });
  const broken = sourceContract(() => ({ source: memorySource([liar]), replace: () => undefined }));
  const results = await Promise.allSettled(broken.map(({ run }) => run()));
  expect(results.filter(({ status }) => status === 'fulfilled')).toEqual([]);
});
