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
    arguments: { '<query...>': 'a name, a tag, or a request in plain words' },
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
    summary: 'the skills that a message activates and why, and what the model is shown',
    arguments: { '<message...>': 'what a user says to an agent' },
    flags: {
      '--max <n>': 'how many at most (3)',
      '--path <path>': 'a file that is touched, for skills with globs; may be given several times',
    },
    load: () => import('./commands/match.ts'),
  },
  {
    name: 'prompt',
    summary: 'what a model is shown of the skills, within a budget',
    flags: {
      '--query <message>': 'what serves this message is shown first',
      '--format <format>': 'xml, markdown, index or json (xml)',
      '--budget <tokens>': 'at most so many (4000)',
      '--top <n>': 'the pinned and the n last used skills, for a system prompt',
      '--preload <names>': 'these skills whole, and no list: a,b',
    },
    load: () => import('./commands/prompt.ts'),
  },
  {
    name: 'load',
    summary: "print a skill's instructions",
    arguments: { '<name>': 'a skill, by its name or id' },
    flags: { '--body': 'leave the frontmatter out' },
    load: () => import('./commands/load.ts'),
  },
  {
    name: 'resources',
    summary: 'the files that a skill brings, with size and kind',
    arguments: { '<name>': 'a skill, by its name or id' },
    flags: {},
    load: () => import('./commands/resources.ts'),
  },
  {
    name: 'read',
    summary: 'print one file of a skill as it is',
    arguments: { '<url>': 'skill://<name> is its SKILL.md, skill://<name>/<path> a file inside' },
    flags: {},
    load: () => import('./commands/read.ts'),
  },
  {
    name: 'validate',
    summary: 'judge skills strictly; exit 1 where there are errors',
    arguments: { '<path...>': 'a skill, its SKILL.md, or a folder of skills' },
    flags: { '--spec': 'allow only the six fields of the Agent Skills specification' },
    load: () => import('./commands/validate.ts'),
  },
  {
    name: 'read-properties',
    summary: "print a skill's properties as JSON",
    arguments: { '<path>': 'a skill or its SKILL.md' },
    flags: {},
    load: () => import('./commands/read-properties.ts'),
  },
  {
    name: 'to-prompt',
    summary: 'print the <available_skills> block for the given skills',
    arguments: { '<path...>': 'skills or their SKILL.md' },
    flags: {},
    load: () => import('./commands/to-prompt.ts'),
  },
  {
    name: 'run',
    summary: 'run a script of a trusted skill, within limits',
    arguments: {
      '<name>': 'a skill, by its name or id',
      '<script>': 'one of its scripts',
      '[args...]': 'what the script is given, after --',
    },
    flags: {
      '--timeout <ms>': 'stop it after so long (60000)',
      '--network': 'let it use the network',
    },
    load: () => import('./commands/run.ts'),
  },
  {
    name: 'tools',
    summary: 'the tools that trusted skills bring',
    arguments: { '[name]': 'only those of this skill' },
    flags: {},
    load: () => import('./commands/tools.ts'),
  },
  {
    name: 'call',
    summary: 'call a tool of a trusted skill',
    arguments: { '<name>': 'a skill, by its name or id', '<tool>': 'one of its tools' },
    flags: { '--args <json>': 'what the tool is given, a JSON object ({})' },
    load: () => import('./commands/call.ts'),
  },
  {
    name: 'trust',
    summary: 'show what a skill brings, and let it run that',
    arguments: { '<name>': 'a skill, by its name or id' },
    flags: { '--yes': 'do not ask', '--revoke': 'no longer' },
    load: () => import('./commands/trust.ts'),
  },
  {
    name: 'eval',
    summary: 'how well requests find their skills; no model is asked',
    arguments: { '<file>': 'requests as .jsonl or .json, a skill, or its evals folder' },
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
