import { join } from 'node:path';

import type { HostSync } from '../sync/host-sync.ts';

/** Read in the source of SDK 1.0.32: its switches lie in the state of the app. */
export const cursorSync: HostSync = {
  folder: ({ home, cwd }, scope) => join(scope === 'user' ? home : cwd, '.agents', 'skills'),
  switchFile: () => ({ because: 'Cursor has no file of switches: switch the skill off in its settings' }),
  reserved: [],
  ownSources: [],
};
