import type { CommandDefinition } from '../command.ts';

export const connectCommands: readonly CommandDefinition[] = [
  {
    name: 'mcp',
    group: 'Connect agents',
    summary: 'Serve skills to MCP clients over stdio or HTTP',
    options: {
      '--http': 'Serve over HTTP, at /mcp, instead of stdio',
      '--port <port>': 'Port for --http (default: 7411)',
      '--host <address>': 'Address for --http (default: 127.0.0.1); any other needs --token-file',
      '--token-file <file>': 'Require clients to send the token in this file',
      '--allow-host <name>': 'Another name by which clients reach the server (repeatable)',
      '--allow-origin <origin>': 'A web origin that may send requests (repeatable)',
      '--allow-scripts': 'Let clients run scripts of trusted skills',
      '--allow-write': 'Let clients write skills, and change those that agents wrote',
      '--allow-toolsets': 'Offer the tools that trusted skills bring',
      '--budget <tokens>': 'Token budget of the instructions that list the skills (default: 1000)',
      '--context-files': 'Put the AGENTS.md files of this directory and above into the instructions',
      '--print-config <client>': 'Print the settings for claude-code, codex, cursor, vscode, gemini or opencode',
      '--write': "With --print-config: write them to the client's file, after a backup",
      '--project': "With --print-config: use the project's file instead of yours",
    },
    examples: ['mcp --print-config claude-code --write', 'mcp --http --allow-scripts'],
    load: () => import('../commands/mcp.ts'),
  },
  {
    name: 'ctx',
    group: 'Connect agents',
    summary: 'Answer a statement in the CTX language with JSON',
    arguments: { '<statement>': 'One statement; - reads one from each line of stdin' },
    examples: [`ctx '?s "deploy" #devops ^3'`, `ctx '!s pdf'`],
    takesDashes: true,
    load: () => import('../commands/ctx.ts'),
  },
];
