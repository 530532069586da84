import type { Host } from '../host.ts';
import { layOutCodex } from './catalog.ts';
import { codexFolder, codexRoots, discoverCodex } from './discovery.ts';
import { codexHistory } from './history.ts';
import { readCodexSwitches } from './switches.ts';

export const codex: Host = {
  id: 'codex',
  title: 'Codex',
  seenIn: '0.166.0',
  program: 'codex',
  folder: codexFolder,
  naming: 'frontmatter',
  builtIn: [],
  roots: codexRoots,
  discover: discoverCodex,
  readSwitches: readCodexSwitches,
  layOut: layOutCodex,
  history: codexHistory,
};
