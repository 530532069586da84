import type { Host } from '../host.ts';
import { listEverything, NO_SWITCHES } from '../seeing/no-limits.ts';
import { discoverOpencode, opencodeFolder, opencodeRoots } from './discovery.ts';

export const opencode: Host = {
  id: 'opencode',
  title: 'OpenCode',
  seenIn: '1.18.33',
  program: 'opencode',
  folder: opencodeFolder,
  naming: 'frontmatter',
  roots: opencodeRoots,
  discover: discoverOpencode,
  readSwitches: () => NO_SWITCHES,
  layOut: listEverything,
};
