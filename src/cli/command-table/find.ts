import type { CommandDefinition } from '../command.ts';

export const findCommands: readonly CommandDefinition[] = [
  {
    name: 'show',
    alias: 'list',
    group: 'Find skills',
    summary: 'List every skill by source, with its state and the reason',
    options: {
      '--all': 'Also list the copies that another skill of the same name hides',
      '--by-agents': 'Only skills that agents wrote',
      '--verbose': 'Print every warning',
    },
    load: () => import('../commands/show.ts'),
  },
  {
    name: 'search',
    group: 'Find skills',
    summary: 'Find the skills that best serve a query, with scores',
    arguments: { '<query...>': 'A name, a tag, or a request in plain words' },
    options: {
      '--tag <tag>': 'Only skills with this tag (repeatable)',
      '--domain <domain>': 'Only skills of this domain',
      '--limit <n>': 'Return at most this many (default: 10)',
      '--explain': 'Say which rule or words made each score',
    },
    examples: ['search fill in a pdf form', 'search deploy --tag devops --explain'],
    load: () => import('../commands/search.ts'),
  },
  {
    name: 'match',
    group: 'Find skills',
    summary: 'Show which skills a message activates, and why',
    details: 'Also reports how much of them the model would be shown.',
    arguments: { '<message...>': 'A message from a user to an agent' },
    options: {
      '--max <n>': 'Activate at most this many (default: the setting maxSkills, 3)',
      '--budget <tokens>': 'Show the model at most this many tokens (default: 15000 for instructions, 4000 for lists)',
      '--path <path>': 'A file the task touches, for skills with globs (repeatable)',
    },
    examples: ['match please fill in form.pdf', 'match review this --path src/main.ts'],
    load: () => import('../commands/match.ts'),
  },
  {
    name: 'prompt',
    group: 'Find skills',
    summary: 'Print what a model is shown of the skills, within a budget',
    options: {
      '--query <message>': 'Show the skills that serve this message first',
      '--format <format>': 'xml, markdown, index or json (default: xml)',
      '--budget <tokens>': 'Use at most this many tokens (default: 4000)',
      '--top <n>': 'Show the pinned and the n most recently used skills instead',
      '--preload <names>': 'Show these skills in full instead of a list: a,b',
      '--context-files': 'Also show the AGENTS.md files of this directory and above, within 8000 tokens',
    },
    examples: ['prompt --budget 2000 --query "fill in form.pdf"', 'prompt --top 5'],
    load: () => import('../commands/prompt.ts'),
  },
];
