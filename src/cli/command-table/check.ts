import { HOST_IDS } from '../../model/host-id.ts';
import type { CommandDefinition } from '../command.ts';

export const checkCommands: readonly CommandDefinition[] = [
  {
    name: 'audit',
    group: 'Check',
    summary: 'Report what skills bring and what looks dangerous',
    details: 'Runs nothing of a skill. The findings are advice, not a guarantee.',
    arguments: {
      '[skill...]': 'Names, ids or globs of skills, folders, or URLs of repositories; without one, all skills',
    },
    options: {
      '--skill <name>': 'Of several skills, audit only this one (repeatable)',
      '--ref <ref>': 'Branch, tag or commit of the repository',
      '--use-git-credentials': 'Let git use your credential helpers (ssh uses your keys anyway)',
      '--sarif': 'Print a SARIF 2.1.0 log',
      '--fail-on <severity>': 'Exit 1 on a finding this severe or worse: critical, high, medium, low or info',
    },
    examples: ['audit', 'audit pdf', 'audit owner/repo --fail-on high'],
    isPaged: true,
    load: () => import('../check/audit.ts'),
  },
  {
    name: 'verify',
    alias: 'manage verify',
    group: 'Check',
    summary: 'Compare installed files with the lock',
    details: 'Looks at the project and at the user. Exits 1 if anything differs or is missing.',
    arguments: { '[name...]': 'Names of plugins; without one, all' },
    options: {
      '--project': 'Only the plugins of this project',
      '--user': 'Only your own plugins',
    },
    examples: ['verify', 'verify pdf --project'],
    isPaged: true,
    load: () => import('../check/verify.ts'),
  },
  {
    name: 'doctor',
    group: 'Check',
    summary: 'Check the setup, and say how to fix it',
    examples: ['doctor', 'doctor --json'],
    isPaged: true,
    load: () => import('../check/doctor.ts'),
  },
  {
    name: 'usage',
    group: 'Check',
    summary: 'Report which skills were used, how often and by which agent',
    details:
      'Counts what Skillplane itself loads and runs, and what the transcripts of other agents on this machine tell: which skills were used and shown, nothing of what was said. The setting `usage: { hosts: false }` leaves transcripts alone. With `usage: { hub: true }`, the hubs that you logged in to get counts for the skills that you have from them, a few times a day: by week, version and agent, and nothing else. With `learn: true`, hashes of the words of requests are kept on this machine.',
    arguments: { '[host...]': 'With --import: only these agents' },
    options: {
      '--since <time>': '30m, 12h, 7d or 4w ago, or a date such as 2026-01-31',
      '--skill <name>': 'Only this skill',
      '--by <group>': 'Uses by host, project or week',
      '--all': 'List everything instead of one screen',
      '--advise': 'Say what to disable, what to pin and which descriptions to rewrite',
      '--import': 'Read all transcripts now, however long it takes',
      '--send': 'Tell your hubs now how often you use their skills; needs `usage: { hub: true }`',
      '--forget': 'Erase what was learned from your use; with --skill, of one skill',
    },
    choices: { '[host...]': HOST_IDS },
    examples: [
      'usage',
      'usage --since 7d --skill pdf',
      'usage --by project',
      'usage --advise',
      'usage --import codex',
      'usage --forget --skill pdf',
    ],
    isPaged: true,
    load: () => import('../check/usage.ts'),
  },
];
