import { expect, test } from 'vitest';

import { foundSkill } from '../../../test/support/found.ts';
import { SkillRegistry } from '../registry.ts';

test('search lists a word in the reasons of every result, whether few skills have it or all', () => {
  const skills = Array.from({ length: 400 }, (_, at) => {
    const description = `Ledger of ${at % 10 === 7 ? 'walrus' : 'otter'} number${at}.`;
    return foundSkill(`/skills/s${at}`, { name: `s${at}`, description }).skill;
  });
  const found = SkillRegistry.over(skills, { readBody: () => '' }).search('walrus ledger', {}, 40);
  expect(found).toHaveLength(40);
  for (const { reasons } of found) expect(reasons).toEqual(['"walrus" and "ledger" in its description or tags']);
});
