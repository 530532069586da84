import type { CommandDefinition } from '../command.ts';

export const readAndRunCommands: readonly CommandDefinition[] = [
  {
    name: 'load',
    group: 'Read and run skills',
    summary: 'Print the instructions of a skill',
    arguments: { '<name>': 'Name or id of a skill' },
    options: { '--body': 'Leave out the frontmatter' },
    load: () => import('../commands/load.ts'),
  },
  {
    name: 'resources',
    group: 'Read and run skills',
    summary: 'List the files of a skill, with size and kind',
    arguments: { '<name>': 'Name or id of a skill' },
    load: () => import('../commands/resources.ts'),
  },
  {
    name: 'read',
    group: 'Read and run skills',
    summary: 'Print one file of a skill',
    arguments: { '<url>': 'skill://<name> for its SKILL.md, skill://<name>/<path> for a file' },
    examples: ['read skill://pdf/references/forms.md'],
    load: () => import('../commands/read.ts'),
  },
  {
    name: 'run',
    group: 'Read and run skills',
    summary: 'Run a script of a trusted skill in a sandbox, within limits',
    details:
      'The script starts in its skill. In the sandbox it can read only its skill, its inputs and stdin. Arguments that name an input ' +
      'become absolute paths. Exits with the code of the script, or 124 if it ran out of time.',
    arguments: {
      '<name>': 'Name or id of a skill',
      '<script>': 'One of its scripts',
      '[args...]': 'Arguments for the script; put them after --',
    },
    options: {
      '--input <path>': 'Let the script read this file or folder (repeatable)',
      '--output <dir>': 'Save the files that the script writes to this folder',
      '--timeout <time>': 'Stop the script after this time: 90s, 2m, or milliseconds (default: 60s)',
      '--network': 'Let the script use the network',
    },
    examples: ['run pdf fill.py --input form.pdf --output filled -- form.pdf --flatten'],
    load: () => import('../commands/run.ts'),
  },
  {
    name: 'tools',
    group: 'Read and run skills',
    summary: 'List the tools that trusted skills bring',
    arguments: { '[name]': 'Only the tools of this skill' },
    load: () => import('../commands/tools.ts'),
  },
  {
    name: 'call',
    group: 'Read and run skills',
    summary: 'Call a tool of a trusted skill',
    arguments: { '<name>': 'Name or id of a skill', '<tool>': 'One of its tools' },
    options: { '--args <json>': 'Arguments for the tool, a JSON object (default: {})' },
    examples: [`call weather forecast --args '{"city": "Oslo"}'`],
    load: () => import('../commands/call.ts'),
  },
];
