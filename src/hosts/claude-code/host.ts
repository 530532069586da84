import type { Host } from '../host.ts';
import { CLAUDE_BUILT_IN } from './built-in.ts';
import { describeForClaude, layOutClaude } from './catalog.ts';
import { CLAUDE_RULES, claudeRoots, discoverClaude } from './discovery.ts';
import { claudeFolder } from './folder.ts';
import { claudeHistory } from './history.ts';
import { claudeHook } from './hook.ts';
import { readClaudeSwitches } from './switches.ts';
import { claudeSync } from './sync.ts';

export const claudeCode: Host = {
  id: 'claude-code',
  title: 'Claude Code',
  seenIn: '2.1.325',
  program: 'claude',
  folder: claudeFolder,
  naming: 'directory',
  roots: claudeRoots,
  discover: discoverClaude,
  builtIn: CLAUDE_BUILT_IN,
  readSwitches: readClaudeSwitches,
  layOut: layOutClaude,
  reading: CLAUDE_RULES,
  fields: [
    'agent',
    'allowed-tools',
    'argument-hint',
    'arguments',
    'background',
    'context',
    'disable-model-invocation',
    'disallowed-tools',
    'effort',
    'hooks',
    'model',
    'paths',
    'shell',
    'user-invocable',
    'when_to_use',
  ],
  describe: (skill) => describeForClaude(skill),
  history: claudeHistory,
  sync: claudeSync,
  hook: claudeHook,
};
