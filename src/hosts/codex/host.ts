import type { Host } from '../host.ts';
import { listEverything, NO_SWITCHES } from '../seeing/no-limits.ts';
import { codexFolder, codexRoots, discoverCodex } from './discovery.ts';

export const codex: Host = {
  id: 'codex',
  title: 'Codex',
  seenIn: '0.166.0',
  program: 'codex',
  folder: codexFolder,
  naming: 'frontmatter',
  roots: codexRoots,
  discover: discoverCodex,
  readSwitches: () => NO_SWITCHES,
  layOut: listEverything,
};
