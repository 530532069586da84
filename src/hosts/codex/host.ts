import { join } from 'node:path';

import type { Host } from '../host.ts';

export const codex: Host = {
  id: 'codex',
  title: 'Codex',
  seenIn: '0.166.0',
  program: 'codex',
  folder: ({ home, variables }) => variables['CODEX_HOME'] || join(home, '.codex'),
};
