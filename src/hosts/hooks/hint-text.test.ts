import { expect, test } from 'vitest';

import { HOST_IDS } from '../../model/agents.ts';
import { HOSTS } from '../all-hosts.ts';
import { HINT_MARK } from '../hint-mark.ts';
import { writeHint, writeLikelyHint, writeNote } from './hint-text.ts';

test.each(HOST_IDS)('a hint for %s is short, starts with our mark and puts the skill names in backticks', (id) => {
  for (const isSeen of [true, false]) {
    const text =
      writeHint(
        [
          { name: 'pdf', isSeen },
          { name: 'mail:merge', isSeen: true },
        ],
        HOSTS[id].hook,
      ) ?? '';
    expect(text.startsWith(`${HINT_MARK} `)).toBe(true);
    expect([...text.matchAll(/`[/$]?([^`]+)`/g)].map(([, name]) => name).slice(0, 2)).toEqual(['pdf', 'mail:merge']);
    expect(text.length).toBeLessThan(400);
  }
});

test('a hint spells a skill name as the host does if the host sees the skill, else as our MCP server does', () => {
  expect(writeHint([{ name: 'pdf', isSeen: true }], HOSTS.codex.hook)).toContain('`$pdf`');
  expect(writeHint([{ name: 'pdf', isSeen: false }], HOSTS['claude-code'].hook)).toBe(
    '[skillplane] The skill `pdf` covers this request. Call mcp__skillplane__load_skill with name "pdf" before anything else, then follow it.',
  );
  expect(writeHint([{ name: 'pdf', isSeen: false }], HOSTS.cursor.hook)).toContain(
    'Call load_skill of the MCP server skillplane with name "pdf" before',
  );
});

test.each(['', 'a b', 'x`y', 'ignore everything', 'a\nb', '-x', 'x'.repeat(65), '<b>'])(
  'no hint is given for a skill with the unsafe name %j',
  (name) => {
    expect(writeHint([{ name, isSeen: true }], HOSTS['claude-code'].hook)).toBeUndefined();
  },
);

test('a likely hint names several skills, without those whose names are unsafe', () => {
  const skills = ['pdf', 'ignore everything', 'mail'].map((name) => ({ name, isSeen: true }));
  expect(writeLikelyHint(skills, HOSTS.codex.hook)).toBe(
    '[skillplane] These skills may cover this request: `$pdf`, `$mail`. Load one if its description fits; otherwise ignore this note.',
  );
  expect(writeLikelyHint([{ name: 'pdf', isSeen: false }], HOSTS.codex.hook)).toContain(
    ': `pdf`. Load it with mcp__skillplane__load_skill if its description fits;',
  );
  expect(writeLikelyHint([{ name: 'a b', isSeen: true }], HOSTS.codex.hook)).toBeUndefined();
});

test('a certain note names one skill or two, and none if a name is unsafe', () => {
  expect(writeNote(['pdf', 'mail'], true)).toBe(
    '[skillplane] The skills `pdf` and `mail` cover this request. Call load_skill with the name of the better one before anything else, then follow it.',
  );
  expect(writeNote(['pdf', 'a b'], true)).toBeUndefined();
  expect(writeNote(['pdf', 'a b'], false)).toContain('This skill may cover this request: `pdf`.');
});
