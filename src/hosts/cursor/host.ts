import type { Host } from '../host.ts';
import { describeForCursor, layOutCursor } from './catalog.ts';
import { CURSOR_RULES, cursorFolder, cursorRoots, discoverCursor } from './discovery.ts';
import { cursorHistory } from './history.ts';
import { cursorHook } from './hook.ts';
import { readCursorSwitches } from './switches.ts';
import { cursorSync } from './sync.ts';

export const cursor: Host = {
  id: 'cursor',
  title: 'Cursor',
  seenIn: 'SDK 1.0.32',
  program: 'cursor-agent',
  folder: cursorFolder,
  naming: 'frontmatter',
  builtIn: [],
  roots: cursorRoots,
  discover: discoverCursor,
  readSwitches: readCursorSwitches,
  layOut: layOutCursor,
  reading: CURSOR_RULES,
  fields: ['alwaysApply', 'disable-model-invocation', 'disabled-environments', 'environments', 'globs', 'paths'],
  describe: describeForCursor,
  history: cursorHistory,
  sync: cursorSync,
  hook: cursorHook,
};
