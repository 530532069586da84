import { join } from 'node:path';

import type { HostSync } from '../sync/host-sync.ts';
import { geminiFolder } from './discovery.ts';

/** Seen in 0.61.0. The list of a project counts only in a folder that is trusted. */
export const geminiSync: HostSync = {
  folder: ({ home, cwd }, scope) => join(scope === 'user' ? home : cwd, '.agents', 'skills'),
  switchFile: (place, scope) => ({
    path: join(scope === 'user' ? geminiFolder(place) : join(place.cwd, '.gemini'), 'settings.json'),
    entryFor: ({ name }) => ({ kind: 'item', at: ['skills', 'disabled'], value: name }),
  }),
  reserved: [],
  ownSources: [],
};
