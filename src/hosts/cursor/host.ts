import type { Host } from '../host.ts';
import { listEverything, NO_SWITCHES } from '../seeing/no-limits.ts';
import { cursorFolder, cursorRoots, discoverCursor } from './discovery.ts';

export const cursor: Host = {
  id: 'cursor',
  title: 'Cursor',
  seenIn: 'SDK 1.0.32',
  program: 'cursor-agent',
  folder: cursorFolder,
  naming: 'frontmatter',
  roots: cursorRoots,
  discover: discoverCursor,
  readSwitches: () => NO_SWITCHES,
  layOut: listEverything,
};
