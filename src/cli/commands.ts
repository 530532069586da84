import type { CommandDefinition } from './command.ts';

/** Every command; a new one is a row here and a file in commands/. */
export const commands: readonly CommandDefinition[] = [
  {
    name: 'show',
    alias: 'list',
    summary: 'every skill by source, with its state and why',
    flags: {
      '--all': 'add the copies that lost their name to another',
      '--verbose': 'print every warning',
    },
    load: () => import('./commands/show.ts'),
  },
  {
    name: 'search',
    summary: 'the skills that serve a query best, with scores',
    argument: { notation: '<query...>', help: 'a name, a tag, or a request in plain words' },
    flags: {
      '--tag <tag>': 'only skills with this tag; may be given several times',
      '--domain <domain>': 'only skills of this domain',
      '--limit <n>': 'how many at most (10)',
      '--explain': 'say which rule or words made each score',
    },
    load: () => import('./commands/search.ts'),
  },
  {
    name: 'match',
    summary: 'the skills that a message activates, and why',
    argument: { notation: '<message...>', help: 'what a user says to an agent' },
    flags: {
      '--max <n>': 'how many at most (3)',
      '--path <path>': 'a file that is touched, for skills with globs; may be given several times',
    },
    load: () => import('./commands/match.ts'),
  },
  {
    name: 'validate',
    summary: 'judge skills strictly; exit 1 where there are errors',
    argument: { notation: '<path...>', help: 'a skill, its SKILL.md, or a folder of skills' },
    flags: { '--spec': 'allow only the six fields of the Agent Skills specification' },
    load: () => import('./commands/validate.ts'),
  },
  {
    name: 'read-properties',
    summary: "print a skill's properties as JSON",
    argument: { notation: '<path>', help: 'a skill or its SKILL.md' },
    flags: {},
    load: () => import('./commands/read-properties.ts'),
  },
  {
    name: 'to-prompt',
    summary: 'print the <available_skills> block for the given skills',
    argument: { notation: '<path...>', help: 'skills or their SKILL.md' },
    flags: {},
    load: () => import('./commands/to-prompt.ts'),
  },
  {
    name: 'eval',
    summary: 'how well requests find their skills; no model is asked',
    argument: { notation: '<file>', help: 'requests as .jsonl or .json, a skill, or its evals folder' },
    flags: {
      '--min-hit1 <x>': 'exit 1 where fewer requests than this share put a right skill first (0 to 1)',
      '--threshold <x>': 'the lowest score that triggers a skill, for should_trigger (0.3)',
      '--skill <name>': 'the skill that requests are about; else the one whose folder they lie in',
    },
    load: () => import('./commands/eval.ts'),
  },
  {
    name: 'usage',
    summary: 'what was used, how often and when, and what was not',
    flags: {
      '--since <time>': 'only since then: 30m, 12h, 7d, 4w ago, or a date such as 2026-01-31',
      '--skill <name>': 'only this skill',
    },
    load: () => import('./commands/usage.ts'),
  },
  {
    name: 'doctor',
    summary: 'what is set up, what is missing, how to mend it',
    flags: {},
    load: () => import('./commands/doctor.ts'),
  },
];
