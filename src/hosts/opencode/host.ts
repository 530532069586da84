import { join } from 'node:path';

import type { Host } from '../host.ts';

export const opencode: Host = {
  id: 'opencode',
  title: 'OpenCode',
  seenIn: '1.18.33',
  program: 'opencode',
  folder: ({ home, variables }) => join(variables['XDG_CONFIG_HOME'] || join(home, '.config'), 'opencode'),
};
