import { join } from 'node:path';

import { exists } from '../../platform/files/files.ts';
import type { HostSync } from '../sync/host-sync.ts';
import { opencodeRoots } from './discovery.ts';
import { opencodeFolder } from './settings.ts';

/** Seen in 1.18.33: of the patterns of `permission.skill`, the last that fits counts. */
export const opencodeSync: HostSync = {
  folder(place, scope) {
    const shared = join(scope === 'user' ? place.home : place.cwd, '.agents', 'skills');
    // A variable may keep it from reading what other programs share.
    if (opencodeRoots(place).some(({ path }) => path === shared)) return shared;
    return scope === 'user' ? join(opencodeFolder(place), 'skills') : join(place.cwd, '.opencode', 'skills');
  },
  switchFile(place, scope) {
    const dir = scope === 'user' ? opencodeFolder(place) : place.cwd;
    const names = ['opencode.json', 'opencode.jsonc'];
    return {
      path: join(dir, names.findLast((name) => exists(join(dir, name))) ?? 'opencode.json'),
      entryFor: ({ name }) => ({ kind: 'key', at: ['permission', 'skill', name], value: 'deny' }),
    };
  },
  reserved: [],
  ownSources: [],
};
