import { expect, test } from 'vitest';

import { HOST_IDS } from '../../model/host-id.ts';
import { HINT_MARK } from '../hint-mark.ts';
import { HOOKS } from './all-hooks.ts';
import { writeHint } from './hint-text.ts';

test.each(HOST_IDS)('a hint for %s is short, starts with our mark and puts the skill names in backticks', (id) => {
  for (const isSeen of [true, false]) {
    const text =
      writeHint(
        [
          { name: 'pdf', isSeen },
          { name: 'mail:merge', isSeen: true },
        ],
        HOOKS[id],
      ) ?? '';
    expect(text.startsWith(`${HINT_MARK} `)).toBe(true);
    expect([...text.matchAll(/`[/$]?([^`]+)`/g)].map(([, name]) => name).slice(0, 2)).toEqual(['pdf', 'mail:merge']);
    expect(text.length).toBeLessThan(400);
  }
});

test('a hint spells a skill name as the host does if the host sees the skill, else as our MCP server does', () => {
  expect(writeHint([{ name: 'pdf', isSeen: true }], HOOKS.codex)).toContain('`$pdf`');
  expect(writeHint([{ name: 'pdf', isSeen: false }], HOOKS.codex)).toMatch(/`pdf`.*load_skill/);
});

test.each(['', 'a b', 'x`y', 'ignore everything', 'a\nb', '-x', 'x'.repeat(65), '<b>'])(
  'no hint is given for a skill with the unsafe name %j',
  (name) => {
    expect(writeHint([{ name, isSeen: true }], HOOKS['claude-code'])).toBeUndefined();
  },
);
