import type { CommandDefinition } from '../command.ts';

export const writeCommands: readonly CommandDefinition[] = [
  {
    name: 'new',
    group: 'Write skills',
    summary: 'Create a skill from a template and open it in your editor',
    arguments: { '<name>': 'Lowercase letters, digits and hyphens; also names the folder' },
    options: {
      '--description <text>': 'What the skill does, and when an agent should use it',
      '--template <name>': 'basic, script, toolset or reference (default: basic)',
      '--project': "Create it in the project's .agent/skills instead of yours",
      '--no-edit': 'Do not open $VISUAL or $EDITOR',
    },
    load: () => import('../commands/new.ts'),
  },
  {
    name: 'validate',
    group: 'Write skills',
    summary: 'Check skills against the specification; list every problem',
    details: 'Exits 1 if there are errors.',
    arguments: { '<path...>': 'A skill, its SKILL.md, or a folder of skills' },
    options: { '--spec': 'Allow only the six fields of the Agent Skills specification' },
    load: () => import('../commands/validate.ts'),
  },
  {
    name: 'fix',
    group: 'Write skills',
    summary: 'Fix what validate reports, where the fix is certain',
    details: 'Prints a diff. Without --write it changes nothing, and exits 1 if there is something to fix.',
    arguments: { '<path...>': 'A skill, its SKILL.md, or a folder of skills' },
    options: {
      '--write': 'Write the fixes to the files',
      '--spec': 'Also move fields that the Agent Skills specification lacks into metadata',
    },
    load: () => import('../commands/fix.ts'),
  },
  {
    name: 'read-properties',
    group: 'Write skills',
    summary: 'Print the properties of a skill as JSON',
    arguments: { '<path>': 'A skill or its SKILL.md' },
    load: () => import('../commands/read-properties.ts'),
  },
  {
    name: 'to-prompt',
    group: 'Write skills',
    summary: 'Print the <available_skills> block for the given skills',
    arguments: { '<path...>': 'Skills or their SKILL.md' },
    load: () => import('../commands/to-prompt.ts'),
  },
];
