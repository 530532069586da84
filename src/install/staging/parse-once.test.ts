import { describe, expect, test } from 'vitest';

import { parseSkill } from '../../parse/parse-skill.ts';
import { parseOnce } from './parse-once.ts';

const FOUND = { dir: 'skills/pdf', file: 'skills/pdf/SKILL.md' };
const STAGED = { dir: '/staging/1-x', file: 'SKILL.md' };

describe('a SKILL.md parsed while looking for skills', () => {
  test.each([
    ['a name', '---\nname: pdf\ndescription: Fills forms.\n---\n# PDF\n'],
    ['no name', '---\ndescription: Fills forms.\n---\nText.\n'],
    ['flaws', '---\nname: pdf\nname: other\ndescription: Fills forms.\n---\n# PDF\n'],
    ['the name of another folder', '---\nname: other\ndescription: Fills forms.\n---\n# PDF\n'],
    ['nothing', ''],
  ])('with %s gives the same result as parsing it where it is staged', (_, text) => {
    const bytes = Buffer.from(text);
    parseOnce(bytes, FOUND);
    const [once, again] = [parseOnce(bytes, STAGED), parseSkill(bytes, STAGED)];
    // Each staging folder has another name than its skill, which is not looked at.
    expect(withoutMismatch(once)).toEqual(withoutMismatch(again));
  });
});

function withoutMismatch(parsed: ReturnType<typeof parseSkill>): unknown {
  if (!parsed.ok) return parsed;
  const diagnostics = parsed.skill.diagnostics.filter(({ code }) => code !== 'NAME_MISMATCH');
  return { ...parsed, skill: { ...parsed.skill, diagnostics } };
}
