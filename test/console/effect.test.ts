import { expect, test } from 'vitest';

import { describeEffect } from '../../console/src/pages/agents/effect.ts';
import type { ListChange } from '../../src/engine/list-changes.ts';

const NOTHING = { gains: [], loses: [], cut: [], lost: [] };

test('agents that read the folder of a changed one are named in one sentence for the same skills', () => {
  const many = ['a', 'b', 'c', 'd', 'e', 'f', 'g'];
  const lists: readonly ListChange[] = [
    { ...NOTHING, agent: 'codex', title: 'Codex', gains: ['pdf'] },
    { ...NOTHING, agent: 'cursor', title: 'Cursor', gains: ['pdf'], loses: ['csv'] },
    { ...NOTHING, agent: 'gemini', title: 'Gemini', gains: ['pdf'] },
    { ...NOTHING, agent: 'opencode', title: 'OpenCode', gains: many },
  ];
  expect(describeEffect({ lists, problems: [] }, [{ name: 'pdf', agent: 'codex', to: 'give' }])).toBe(
    'Cursor and Gemini read the same folder and will list pdf, too. ' +
      'OpenCode reads the same folder and will list a, b, c, d, e and 2 more, too. ' +
      'Cursor reads the same folder and will no longer list csv.',
  );
});
