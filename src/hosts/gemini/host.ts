import type { Host } from '../host.ts';
import { listEverything, NO_SWITCHES } from '../seeing/no-limits.ts';
import { discoverGemini, geminiFolder, geminiRoots } from './discovery.ts';

export const gemini: Host = {
  id: 'gemini',
  title: 'Gemini',
  seenIn: '0.61.0',
  program: 'gemini',
  folder: geminiFolder,
  naming: 'frontmatter',
  roots: geminiRoots,
  discover: discoverGemini,
  readSwitches: () => NO_SWITCHES,
  layOut: listEverything,
};
