import { join } from 'node:path';

import type { HostSync } from '../sync/host-sync.ts';
import { codexFolder } from './discovery.ts';

/** Seen in 0.166.0: a rule must name the SKILL.md file without links; a folder has no effect. */
export const codexSync: HostSync = {
  folder: ({ home, cwd }, scope) => join(scope === 'user' ? home : cwd, '.agents', 'skills'),
  switchFile: (place, scope) =>
    scope === 'project'
      ? { because: 'Codex has no switches for skills in projects' }
      : {
          path: join(codexFolder(place), 'config.toml'),
          entryFor: ({ realFile }) => ({
            kind: 'lines',
            lines: ['[[skills.config]]', `path = ${JSON.stringify(realFile)}`, 'enabled = false'],
          }),
        },
  reserved: ['.system'],
  ownSources: [],
};
