import type { Host } from '../host.ts';
import { describeWhole, listEverything } from '../seeing/list-everything.ts';
import { discoverGemini, GEMINI_RULES, geminiRoots } from './discovery.ts';
import { geminiFolder } from './folder.ts';
import { geminiHistory } from './history.ts';
import { geminiHook } from './hook.ts';
import { readGeminiSwitches } from './switches.ts';
import { geminiSync } from './sync.ts';

export const gemini: Host = {
  id: 'gemini',
  title: 'Gemini',
  seenIn: '0.61.0',
  program: 'gemini',
  folder: geminiFolder,
  naming: 'frontmatter',
  builtIn: ['antigravity-support', 'skill-creator'],
  roots: geminiRoots,
  discover: discoverGemini,
  readSwitches: readGeminiSwitches,
  layOut: listEverything,
  reading: GEMINI_RULES,
  fields: [],
  describe: describeWhole,
  history: geminiHistory,
  sync: geminiSync,
  hook: geminiHook,
};
