import type { Host } from '../host.ts';
import { listEverything, NO_SWITCHES } from '../seeing/no-limits.ts';
import { copilotFolder, copilotRoots, discoverCopilot } from './discovery.ts';

export const copilot: Host = {
  id: 'copilot',
  title: 'Copilot',
  seenIn: '1.0.102',
  program: 'copilot',
  folder: copilotFolder,
  naming: 'frontmatter',
  roots: copilotRoots,
  discover: discoverCopilot,
  readSwitches: () => NO_SWITCHES,
  layOut: listEverything,
};
