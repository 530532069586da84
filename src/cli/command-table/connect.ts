import { HOST_IDS } from '../../model/host-id.ts';
import type { CommandDefinition } from '../command.ts';

export const connectCommands: readonly CommandDefinition[] = [
  {
    name: 'hosts',
    group: 'Connect',
    summary: 'List the agent programs here, or connect one to this',
    details:
      'Without an action: how many skills each program sees, and how it is connected; only files are read. connect writes the ' +
      "MCP server and a hook into the program's own files, after a backup: whenever a skill clearly fits a message, the hook " +
      'tells the model. disconnect takes both out again.',
    arguments: {
      '[action]': 'connect or disconnect',
      '[host...]': HOST_IDS.join(', '),
    },
    choices: { '[action]': ['connect', 'disconnect'] },
    options: {
      '--no-server': 'With connect: leave out the MCP server',
      '--no-hook': 'With connect: leave out the hook',
      '--process': 'With connect: have the hook start a process even where it could ask the MCP server',
      '--record-use': 'With connect: record at once which skills are used, not only when the history is read',
    },
    examples: ['hosts', 'hosts connect claude-code', 'hosts disconnect claude-code'],
    isPaged: true,
    load: () => import('../connect/hosts.ts'),
  },
  {
    name: 'explain',
    group: 'Connect',
    summary: 'Say which skills an agent shows its model, and why not others',
    details:
      'Replays the search, the switches and the list of the program from its files, with what to do about each skill that ' +
      'its model is not told of.',
    arguments: {
      '<host>': `${HOST_IDS.join(', ')}, or another agent with a folder of skills`,
      '[name]': 'Explain this skill alone',
    },
    options: {
      '--window <tokens>': 'Size of the context window of the model (default: that of the program)',
      '--model <id>': 'The model, if the length of the list depends on it',
    },
    examples: ['explain claude-code', 'explain claude-code pdf --model claude-haiku-4-5'],
    isPaged: true,
    load: () => import('../connect/explain.ts'),
  },
  {
    name: 'login',
    group: 'Connect',
    summary: 'Log in to a team’s hub; without an address, list your hubs',
    details:
      'Asks for the token, or reads it from a pipe, and keeps it in a file that only you can read. The hub that you logged ' +
      'in to last is the one that `@team/name` means.',
    arguments: { '[hub]': 'The address of the hub, such as https://skills.example.com' },
    options: { '--logout': 'Forget the token of the hub' },
    examples: ['login', 'login --json'],
    load: () => import('../connect/login.ts'),
  },
  {
    name: 'sync',
    group: 'Connect',
    summary: 'Let other agents see exactly the skills that are enabled here',
    details:
      'Puts links to skills into the folders that agents read, and switches in their settings where one agent differs ' +
      'from others. Whatever it did not make itself stays as it is.',
    arguments: { '[host...]': `${HOST_IDS.join(', ')} (default: all on this machine)` },
    choices: { '[host...]': HOST_IDS },
    options: {
      '--project': 'In the folders of this project, for its own skills, instead of yours',
      '--dry-run': 'Show what would change, as a diff, and change nothing',
      '--check': 'Change nothing, and fail if something would change',
      '--undo': 'Take back everything that sync made, to the byte',
      '--watch': 'Sync again whenever skills or settings change',
      '--copy': 'Make copies instead of links',
    },
    examples: ['sync claude-code codex --dry-run', 'sync --undo'],
    load: () => import('../connect/sync.ts'),
  },
  {
    name: 'hook',
    group: 'Connect',
    summary: 'Answer the hook of an agent program, which starts it',
    details:
      'Reads the event on stdin, and prints a hint in the form of the program if a skill clearly fits the message. Prints ' +
      'nothing in most cases, and whenever it is late or anything is wrong. Always exits with 0.',
    arguments: { '<host>': HOST_IDS.join(', ') },
    options: { '--limit <ms>': 'Say nothing after this time since the start of the process (default: 150)' },
    examples: ['hook claude-code < event.json', 'hook codex < event.json'],
    load: () => import('../connect/hook.ts'),
  },
  {
    name: 'mcp',
    group: 'Connect',
    summary: 'Serve skills to MCP clients over stdio or HTTP',
    options: {
      '--http': 'Serve over HTTP, at /mcp, instead of stdio',
      '--port <port>': 'Port for --http (default: 7411)',
      '--host <name>':
        'The program that is served, such as claude-code: leaves out what it reads itself. Or the address for --http (default: 127.0.0.1)',
      '--token-file <file>': 'Require clients to send the token in this file',
      '--allow-host <name>': 'Another name by which clients reach the server (repeatable)',
      '--allow-origin <origin>': 'A web origin that may send requests and read answers (repeatable)',
      '--allow-scripts': 'Let clients run scripts of trusted skills',
      '--allow-write': 'Let clients write skills, and change those that agents wrote',
      '--allow-toolsets': 'Offer the tools that trusted skills bring',
      '--budget <tokens>': 'Token budget of the instructions that list the skills (default: 1000)',
      '--context-files': 'Put the AGENTS.md files of this directory and above into the instructions',
      '--print-config <client>':
        'Print the settings for claude-code, claude-desktop, codex, copilot, cursor, gemini, opencode, vscode or windsurf',
      '--write': "With --print-config: write them to the client's file, after a backup",
      '--project': "With --print-config: use the project's file instead of yours",
    },
    needs: {
      '--port': '--http',
      '--token-file': '--http',
      '--allow-host': '--http',
      '--allow-origin': '--http',
      '--write': '--print-config',
      '--project': '--print-config',
    },
    examples: ['mcp --print-config claude-code --write', 'mcp --http --allow-scripts'],
    load: () => import('../connect/mcp.ts'),
  },
  {
    name: 'console',
    alias: 'serve',
    group: 'Connect',
    summary: 'Look at your skills in a page on this machine',
    details:
      'Shows which skills there are and why, what models are shown, what was used and what wants a decision, and changes what ' +
      'you ask it to. Serves on the loopback address alone, and only to a browser that opened the printed address.',
    options: {
      '--port <port>': 'Port to serve at (default: any free one)',
      '--no-open': 'Print the address instead of opening it in your browser',
      '--read-only': 'Show everything and change nothing',
      '--idle <time>': 'End when no page was open for this long, such as 10m (default: only on Ctrl-C)',
    },
    examples: ['console', 'console --no-open --read-only'],
    load: () => import('../connect/console.ts'),
  },
  {
    name: 'config',
    group: 'Connect',
    summary: 'Show or change settings',
    details: 'A list grows with += and shrinks with -=. Comments in the file stay.',
    arguments: {
      '[action]': 'list (default), get, set, unset, edit or path',
      '[key]': 'Name of a setting, or <key>=<value>',
      '[value]': 'New value: true, 60s, or a,b for a list',
    },
    choices: { '[action]': ['list', 'get', 'set', 'unset', 'edit', 'path'] },
    options: {
      '--project': "Change the project's settings instead of yours",
      '--schema': 'With path: print the path of the JSON Schema, for editors',
    },
    examples: ['config set enabledSources+=cursor-user', 'config set scriptTimeout 2m --project'],
    isPaged: true,
    load: () => import('../connect/config.ts'),
  },
  {
    name: 'completion',
    group: 'Connect',
    summary: 'Print a script that completes commands, options and names',
    arguments: { '<shell>': 'bash, zsh or fish', '[line...]': 'Used by the script itself: the words to complete' },
    choices: { '<shell>': ['bash', 'zsh', 'fish'] },
    examples: ['completion bash >> ~/.bashrc', 'completion fish | source'],
    load: () => import('../connect/completion.ts'),
  },
  {
    name: 'ctx',
    group: 'Connect',
    summary: 'Answer a statement in the CTX language with JSON',
    arguments: { '<statement>': 'One statement; - reads one from each line of stdin' },
    examples: [`ctx '?s "deploy" #devops ^3'`, `ctx '!s pdf'`],
    takesDashes: true,
    load: () => import('../connect/ctx.ts'),
  },
];
