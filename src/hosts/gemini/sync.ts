import { join } from 'node:path';

import type { HostSync } from '../sync/host-sync.ts';
import { geminiFolder, geminiHome } from './folder.ts';

/** Seen in 0.61.0. The list of a project counts only in a folder that is trusted. */
export const geminiSync: HostSync = {
  folder: (place, scope) => join(scope === 'user' ? geminiHome(place) : place.cwd, '.agents', 'skills'),
  switchFile: (place, scope) => ({
    path: join(scope === 'user' ? geminiFolder(place) : join(place.cwd, '.gemini'), 'settings.json'),
    entryFor: ({ name }) => ({ kind: 'item', at: ['skills', 'disabled'], value: name }),
  }),
  reserved: [],
  ownSources: [],
};
