import { join } from 'node:path';

import type { Host } from '../host.ts';

export const copilot: Host = {
  id: 'copilot',
  title: 'Copilot',
  seenIn: '1.0.102',
  program: 'copilot',
  folder: ({ home, variables }) => variables['COPILOT_HOME'] || join(home, '.copilot'),
};
