import { join } from 'node:path';

import type { Host } from '../host.ts';

export const claudeCode: Host = {
  id: 'claude-code',
  title: 'Claude Code',
  seenIn: '2.1.325',
  program: 'claude',
  folder: ({ home, variables }) => variables['CLAUDE_CONFIG_DIR'] || join(home, '.claude'),
};
