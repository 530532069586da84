import { join } from 'node:path';

import type { HostSync } from '../sync/host-sync.ts';
import { copilotFolder } from './discovery.ts';

/** Seen in 1.0.102. With a folder of its own for everything, it leaves out what other programs share. */
export const copilotSync: HostSync = {
  folder(place, scope) {
    if (scope === 'project') return join(place.cwd, '.agents', 'skills');
    return place.variables['COPILOT_HOME']
      ? join(copilotFolder(place), 'skills')
      : join(place.home, '.agents', 'skills');
  },
  switchFile: (place, scope) => ({
    path:
      scope === 'user'
        ? join(copilotFolder(place), 'settings.json')
        : join(place.cwd, '.github', 'copilot', 'settings.json'),
    entryFor: ({ name }) => ({ kind: 'item', at: ['disabledSkills'], value: name }),
  }),
  reserved: [],
  ownSources: [],
};
