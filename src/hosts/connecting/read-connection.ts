import { join } from 'node:path';

import { readOwnText } from '../../platform/files/files.ts';
import { HOOKS } from '../hooks/all-hooks.ts';
import { readHookLog, type HookLog } from '../hooks/hook-log.ts';
import type { Host } from '../host.ts';
import type { ConnectPlace } from './connect-host.ts';
import { findHook, mentionsUs } from './our-hooks.ts';
import { serverEntry } from './server-entry.ts';

/** How a host is connected to us, by its own files. */
export interface HostConnection {
  /** Does it know our MCP server? */
  readonly hasServer: boolean;
  /** How its hook asks us: the MCP server, or a process for each message. Undefined if it does not. */
  readonly hook: 'server' | 'process' | undefined;
  readonly log: HookLog;
}

export function readConnection(host: Host, place: ConnectPlace): HostConnection {
  const entry = serverEntry(host.id);
  const pieces = HOOKS[host.id].pieces({ command: [], recordsUse: false });
  const hooks = pieces.map(({ kind, file }) => {
    const text = readText(join(host.folder(place), file));
    if (kind === 'file') return mentionsUs(text, host.id) ? 'process' : undefined;
    return findHook(text, host.id);
  });
  return {
    hasServer: entry.find(readText(entry.file(place))) !== undefined,
    hook: hooks.find((hook) => hook !== undefined),
    log: readHookLog(place.agentHome, host.id),
  };
}

function readText(path: string): string {
  const read = readOwnText(path);
  return read.ok ? (read.text ?? '') : '';
}
