import { join } from 'node:path';

import { expect, test } from 'vitest';

import { SkillLoader, SkillRegistry, SkillStore } from '../src/index.ts';
import { makeTree, skillText } from './support/tree.ts';

function makeDirs(): { readonly dirs: readonly string[]; readonly home: string } {
  const root = makeTree({
    'home/': '',
    'a/pdf/SKILL.md': skillText({ description: 'Fill PDF forms.' }, 'Use qpdf.\n'),
    'b/pdf/SKILL.md': skillText({ description: 'Another.' }),
    'b/mail/SKILL.md': skillText({ description: 'Write letters.' }),
  });
  return { dirs: ['a', 'b'].map((name) => join(root, name)), home: join(root, 'home') };
}

test('SkillStore, SkillRegistry and SkillLoader each work on their own over directories', async () => {
  const { dirs, home } = makeDirs();
  const store = SkillStore.over(dirs, { home, cwd: home, env: {} });
  const { skills } = await store.loadAll();
  expect(skills.map(({ name, description }) => [name, description])).toEqual([
    ['mail', 'Write letters.'],
    ['pdf', 'Fill PDF forms.'],
  ]);
  expect(SkillRegistry.over(skills).search('qpdf')).toMatchObject([{ name: 'pdf' }]);
  expect(await SkillLoader.over(store).load('pdf')).toMatchObject({ ok: true, body: 'Use qpdf.' });
});

test('a SkillLoader scans its store first, and says what to do if nothing was scanned', async () => {
  const { dirs, home } = makeDirs();
  const loader = SkillLoader.over(SkillStore.over(dirs, { home, cwd: home, env: {} }));
  expect(loader.resources('pdf')).toMatchObject({
    ok: false,
    code: 'STORE_FAILED',
    next: { advice: expect.stringContaining('loadAll') },
  });
  expect(await loader.load('mail')).toMatchObject({ ok: true, skill: { name: 'mail' } });
  expect(loader.resources('pdf')).toMatchObject({ ok: true, resources: [] });
});
