import type { Host } from '../host.ts';
import { describeForCodex, layOutCodex } from './catalog.ts';
import { CODEX_RULES, codexFolder, codexRoots, discoverCodex } from './discovery.ts';
import { codexHistory } from './history.ts';
<<<<<<< HEAD
import { CODEX_OWN_FILE, readCodexSwitches } from './switches.ts';
=======
import { readCodexSwitches } from './switches.ts';
import { codexSync } from './sync.ts';
>>>>>>> 93030be (Let other agents see exactly what is enabled here: plan, apply and undo a sync of their folders and switches)

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
};
