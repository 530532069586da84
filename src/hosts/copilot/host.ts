import type { Host } from '../host.ts';
import { describeWhole } from '../seeing/list-everything.ts';
import { layOutCopilot } from './catalog.ts';
import { COPILOT_RULES, copilotFolder, copilotRoots, discoverCopilot } from './discovery.ts';
import { copilotHistory } from './history.ts';
import { copilotHook } from './hook.ts';
import { readCopilotSwitches } from './switches.ts';
import { copilotSync } from './sync.ts';

export const copilot: Host = {
  id: 'copilot',
  title: 'Copilot',
  seenIn: '1.0.102',
  program: 'copilot',
  folder: copilotFolder,
  naming: 'frontmatter',
  builtIn: ['customize-cloud-agent', 'github-pr-media'],
  roots: copilotRoots,
  discover: discoverCopilot,
  readSwitches: readCopilotSwitches,
  layOut: layOutCopilot,
  reading: COPILOT_RULES,
  fields: ['allowed-tools', 'argument-hint', 'context', 'disable-model-invocation', 'user-invocable'],
  describe: describeWhole,
  history: copilotHistory,
  sync: copilotSync,
  hook: copilotHook,
};
