import { existsSync } from 'node:fs';

import { expect, test } from 'vitest';

import { openTestSkills, skillText } from '../src/testing.ts';

test('openTestSkills gives isolated skills that can be found, run and changed, and are removed on disposal', async () => {
  const skills = await openTestSkills({
    'pdf/SKILL.md': skillText({ name: 'pdf', description: 'Fill PDF forms.' }),
    'pdf/scripts/fill.sh': '#!/bin/sh\necho filled "$1"\n',
  });
  expect(skills.catalog().skills.map(({ name }) => name)).toEqual(['pdf']);
  expect(await skills.scripts.run('pdf', 'fill.sh', { args: ['a.pdf'] })).toMatchObject({
    ok: true,
    exitCode: 0,
    stdout: 'filled a.pdf\n',
  });
  skills.write({ 'mail/SKILL.md': skillText({ name: 'mail', description: 'Write letters.' }) });
  expect((await skills.refresh()).added.map(({ name }) => name)).toEqual(['mail']);
  await skills[Symbol.asyncDispose]();
  expect(existsSync(skills.dir)).toBe(false);
});
