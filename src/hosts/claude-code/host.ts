import type { Host } from '../host.ts';
import { listEverything, NO_SWITCHES } from '../seeing/no-limits.ts';
import { claudeRoots, discoverClaude } from './discovery.ts';
import { claudeFolder } from './folder.ts';

export const claudeCode: Host = {
  id: 'claude-code',
  title: 'Claude Code',
  seenIn: '2.1.325',
  program: 'claude',
  folder: claudeFolder,
  naming: 'directory',
  roots: claudeRoots,
  discover: discoverClaude,
  readSwitches: () => NO_SWITCHES,
  layOut: listEverything,
};
