import type { HostId } from '../../model/host-id.ts';
import { claudeHook } from '../claude-code/hook.ts';
import { codexHook } from '../codex/hook.ts';
import { copilotHook } from '../copilot/hook.ts';
import { cursorHook } from '../cursor/hook.ts';
import { geminiHook } from '../gemini/hook.ts';
import { opencodeHook } from '../opencode/hook.ts';
import type { HostHook } from './host-hook.ts';

/** Apart from the hosts themselves: a process that only answers a hook does not load what finds skills. */
export const HOOKS: Readonly<Record<HostId, HostHook>> = {
  'claude-code': claudeHook,
  codex: codexHook,
  cursor: cursorHook,
  copilot: copilotHook,
  gemini: geminiHook,
  opencode: opencodeHook,
};
