import { join } from 'node:path';

import type { Host } from '../host.ts';

export const cursor: Host = {
  id: 'cursor',
  title: 'Cursor',
  seenIn: 'SDK 1.0.32',
  program: 'cursor-agent',
  folder: ({ home }) => join(home, '.cursor'),
};
