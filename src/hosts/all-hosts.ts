import { findHostId, HOST_IDS, type AgentId, type HostId } from '../model/agents.ts';
import { findCommand } from '../platform/environment.ts';
import { exists } from '../platform/files/files.ts';
import { claudeCode } from './agents/claude-code.ts';
import { codex } from './agents/codex.ts';
import { copilot } from './agents/copilot.ts';
import { cursor } from './agents/cursor.ts';
import { gemini } from './agents/gemini.ts';
import { opencode } from './agents/opencode.ts';
import { folderHost, type Host, type HostPlace, type KnownHost } from './host.ts';

/** The hosts that we know well. */
export const HOSTS: Readonly<Record<HostId, KnownHost>> = {
  'claude-code': claudeCode,
  codex,
  cursor,
  copilot,
  gemini,
  opencode,
};

/** The host of this id, also if only its folders are known. */
export function hostOf(id: AgentId): Host {
  const known = findHostId(id);
  return known === undefined ? folderHost(id) : HOSTS[known];
}

/** The agent programs on this machine: the program or its folder is there. Looks at nothing that they see. */
export function listPresentAgents(environment: HostPlace): readonly KnownHost[] {
  return HOST_IDS.map((id) => HOSTS[id]).filter((host) => isPresent(host, environment));
}

/** Is the program of a host on this machine, or its folder? */
export function isPresent(host: KnownHost, environment: HostPlace): boolean {
  return findCommand(host.program, environment) !== undefined || exists(host.folder(environment));
}
