import { join } from 'node:path';

import { readOwnText } from '../../platform/files/files.ts';
import { HOOKS } from '../hooks/all-hooks.ts';
import { readHookLog, type HookLog } from '../hooks/hook-log.ts';
import type { Host } from '../host.ts';
import type { ConnectPlace } from './connect-host.ts';
import { findHook } from './our-hooks.ts';
import { serverEntry } from './server-entry.ts';

/** How a host is connected to us, by its own files. */
export interface HostConnection {
  /** Does it know our MCP server? */
  readonly hasServer: boolean;
  /** How its hook asks us: the MCP server, or a process for each message. Undefined if it does not. */
  readonly hook: 'server' | 'process' | undefined;
  /** Does it tell us of every skill that is used? */
  readonly recordsUse: boolean;
  readonly log: HookLog;
}

export function readConnection(host: Host, place: ConnectPlace): HostConnection {
  const entry = serverEntry(host.id);
  const rules = HOOKS[host.id];
  const { useMark } = rules;
  const hook = rules
    .pieces({ command: [], recordsUse: false })
    .map(({ kind, file }) => findHook(readText(join(host.folder(place), file)), host.id, { kind, useMark }))
    .find((found) => found !== undefined);
  return {
    hasServer: entry.find(readText(entry.file(place))) !== undefined,
    hook: hook?.asks,
    recordsUse: hook?.recordsUse ?? false,
    log: readHookLog(place.agentHome, host.id),
  };
}

function readText(path: string): string {
  const read = readOwnText(path);
  return read.ok ? (read.text ?? '') : '';
}
