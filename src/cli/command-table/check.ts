import type { CommandDefinition } from '../command.ts';

export const checkCommands: readonly CommandDefinition[] = [
  {
    name: 'usage',
    group: 'Measure and check',
    summary: 'Report which skills were used, how often and when',
    options: {
      '--since <time>': '30m, 12h, 7d or 4w ago, or a date such as 2026-01-31',
      '--skill <name>': 'Only this skill',
    },
    load: () => import('../commands/usage.ts'),
  },
  {
    name: 'eval',
    group: 'Measure and check',
    summary: 'Measure how well requests find their skills, without a model',
    arguments: { '<file>': 'Requests as .jsonl or .json, a skill, or its evals folder' },
    options: {
      '--min-hit1 <share>': 'Exit 1 if a smaller share of requests ranks a right skill first (0 to 1)',
      '--threshold <score>': 'Lowest score that triggers a skill, for should_trigger (default: 0.3)',
      '--skill <name>': 'The skill the requests are about (default: the one they lie in)',
    },
    load: () => import('../commands/eval.ts'),
  },
  {
    name: 'doctor',
    group: 'Measure and check',
    summary: 'Check the setup, and say how to fix it',
    load: () => import('../commands/doctor.ts'),
  },
];
