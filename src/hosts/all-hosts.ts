import type { HostId } from '../model/host-id.ts';
import { claudeCode } from './claude-code/host.ts';
import { codex } from './codex/host.ts';
import { copilot } from './copilot/host.ts';
import { cursor } from './cursor/host.ts';
import { gemini } from './gemini/host.ts';
import type { Host } from './host.ts';
import { opencode } from './opencode/host.ts';

export const HOSTS: Readonly<Record<HostId, Host>> = {
  'claude-code': claudeCode,
  codex,
  cursor,
  copilot,
  gemini,
  opencode,
};
