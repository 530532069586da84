import { expect, test } from 'vitest';

import type { UsageDetail } from './usage-store.ts';
import { usesByDay } from './use-groups.ts';

const DAY = 86_400_000;

test('uses are counted by agent and day, the busiest agent first, and other days are left out', () => {
  const use = (agent: string, day: number, events: number): UsageDetail => {
    return { skill: 'pdf', kind: 'loaded', agent, project: '/a', day: day * DAY, week: 0, events };
  };
  const details = [use('codex', 1, 1), use('claude-code', 2, 3), use('codex', 2, 1), use('codex', 9, 1)];
  expect(usesByDay({ details }, [DAY, 2 * DAY, 3 * DAY])).toEqual([
    { name: 'claude-code', days: [0, 3, 0] },
    { name: 'codex', days: [1, 1, 0] },
  ]);
});
