import type { Host } from '../host.ts';
import { describeForCodex, layOutCodex } from './catalog.ts';
import { CODEX_RULES, codexFolder, codexRoots, discoverCodex } from './discovery.ts';
import { codexHistory } from './history.ts';
import { codexHook } from './hook.ts';
import { CODEX_OWN_FILE, readCodexSwitches } from './switches.ts';
import { codexSync } from './sync.ts';

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
  reading: CODEX_RULES,
  fields: [],
  ownFile: CODEX_OWN_FILE,
  describe: describeForCodex,
  history: codexHistory,
  sync: codexSync,
  hook: codexHook,
};
