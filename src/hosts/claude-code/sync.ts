import { join } from 'node:path';

import type { HostSync } from '../sync/host-sync.ts';
import { claudeFolder } from './folder.ts';

/** Seen in 2.1.325: the key of `skillOverrides` is the name of the skill's folder. It has no effect on skills of plugins. */
export const claudeSync: HostSync = {
  folder: (place, scope) => join(scope === 'user' ? claudeFolder(place) : join(place.cwd, '.claude'), 'skills'),
  switchFile: (place, scope) => ({
    path: join(scope === 'user' ? claudeFolder(place) : join(place.cwd, '.claude'), 'settings.json'),
    entryFor: ({ name }) => ({ kind: 'key', at: ['skillOverrides', name], value: 'off' }),
  }),
  reserved: ['synced', '.trash', '.staging'],
  ownSources: ['claude-plugins'],
};
