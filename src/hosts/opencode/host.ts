import type { Host } from '../host.ts';
import { describeForOpencode, layOutOpencode } from './catalog.ts';
import { discoverOpencode, OPENCODE_RULES, opencodeRoots } from './discovery.ts';
import { opencodeHistory } from './history.ts';
import { opencodeHook } from './hook.ts';
import { opencodeFolder } from './settings.ts';
import { readOpencodeSwitches } from './switches.ts';
import { opencodeSync } from './sync.ts';

export const opencode: Host = {
  id: 'opencode',
  title: 'OpenCode',
  seenIn: '1.18.33',
  program: 'opencode',
  folder: opencodeFolder,
  naming: 'frontmatter',
  builtIn: ['customize-opencode'],
  roots: opencodeRoots,
  discover: discoverOpencode,
  readSwitches: readOpencodeSwitches,
  layOut: layOutOpencode,
  reading: OPENCODE_RULES,
  fields: [],
  describe: describeForOpencode,
  history: opencodeHistory,
  sync: opencodeSync,
  hook: opencodeHook,
};
