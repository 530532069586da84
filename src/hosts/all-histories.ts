import type { HostId } from '../model/host-id.ts';
import { claudeHistory } from './claude-code/history.ts';
import { codexHistory } from './codex/history.ts';
import { copilotHistory } from './copilot/history.ts';
import { cursorHistory } from './cursor/history.ts';
import { geminiHistory } from './gemini/history.ts';
import type { HostHistory } from './history/host-history.ts';
import { opencodeHistory } from './opencode/history.ts';

/** The histories of `HOSTS` alone: a thread that reads them has little to load. */
export const HISTORIES: Readonly<Record<HostId, HostHistory>> = {
  'claude-code': claudeHistory,
  codex: codexHistory,
  cursor: cursorHistory,
  copilot: copilotHistory,
  gemini: geminiHistory,
  opencode: opencodeHistory,
};
