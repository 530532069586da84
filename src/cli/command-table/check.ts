import { HOST_IDS } from '../../model/agents.ts';
import type { CommandDefinition } from '../command.ts';

export const checkCommands: readonly CommandDefinition[] = [
  {
    name: 'audit',
    group: 'Check',
    summary: 'Scan skills for risky code and instructions',
    details:
      'Runs nothing without --run. The audit only catches known patterns; a clean result is not proof of safety.',
    arguments: {
      '[skill|path...]': 'Names or globs of skills, folders, or addresses of repositories (default: all your skills)',
    },
    options: {
      '--skill <name>': 'Audit only this skill (repeatable)',
      '--ref <ref>': 'Branch, tag or commit of the repository',
      '--use-git-credentials': 'Let git use your credential helpers for https',
      '--run': 'Also run the scripts, in a sandbox with planted secrets and no internet, and report what they do',
      '--sarif': 'Print a SARIF 2.1.0 log',
      '--fail-on <severity>': 'Exit 1 on a finding this severe or worse: critical, high, medium, low or info',
    },
    examples: ['audit', 'audit pdf', 'audit pdf --run', 'audit owner/repo --fail-on high'],
    guide: 'audit',
    load: () => import('../check/audit.ts'),
  },
  {
    name: 'doctor',
    group: 'Check',
    summary: 'Check your setup and suggest fixes',
    examples: ['doctor', 'doctor --json'],
    load: () => import('../check/doctor.ts'),
  },
  {
    name: 'usage',
    group: 'Check',
    summary: 'Show which skills are used, how often and by which agent',
    details:
      'Counts the skills that Skillplane loads and runs, and reads from the transcripts of other agents on this machine which ' +
      'skills they used. It stores no text of a conversation. The guide explains the settings `usage` and `learn`.',
    arguments: { '[agent...]': 'With --import: only these agents' },
    options: {
      '--since <time>': '30m, 12h, 7d or 4w ago, or a date such as 2026-01-31',
      '--skill <name>': 'Only this skill',
      '--by <group>': 'Uses by agent, project or week',
      '--all': 'List everything, not one screen',
      '--advise': 'Suggest what to disable, what to pin and which descriptions to rewrite',
      '--import': 'Read all transcripts now',
      '--send': 'Report use to your hubs now; needs `usage: { hub: true }`',
      '--forget': 'Erase what was learned from your use, or with --skill, from the use of one skill',
    },
    choices: { '[agent...]': HOST_IDS },
    examples: [
      'usage',
      'usage --since 7d --skill pdf',
      'usage --by project',
      'usage --advise',
      'usage --import codex',
      'usage --forget --skill pdf',
    ],
    guide: 'usage',
    load: () => import('../check/usage.ts'),
  },
];
