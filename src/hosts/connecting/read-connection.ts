import { join } from 'node:path';

import type { HostId } from '../../model/agents.ts';
import { isoTime } from '../../model/time.ts';
import { readOwnText } from '../../platform/files/files.ts';
import { serverEntry } from '../clients/client-config.ts';
import { readHookLog, type HookLog } from '../hooks/hook-log.ts';
import type { KnownHost } from '../host.ts';
import type { ConnectPlace } from './connect-host.ts';
import { findHook } from './our-hooks.ts';

/** How a host is connected to us, by its own files. */
export interface HostConnection {
  /** Does it know our MCP server? */
  readonly hasServer: boolean;
  /** How its hook asks us: the MCP server, or a process for each message. Undefined if it does not. */
  readonly hook: 'server' | 'process' | undefined;
  /** Does it tell us of every skill that is used? */
  readonly recordsUse: boolean;
  readonly log: HookTimes;
}

/** When the hook last did something. */
export type HookTimes = { readonly [Kind in keyof HookLog]: string | undefined };

export function readConnection(host: KnownHost, place: ConnectPlace): HostConnection {
  const { useMark } = host.hook;
  const hook = host.hook
    .pieces({ command: [], recordsUse: false })
    .map(({ kind, file }) => findHook(readText(join(host.folder(place), file)), host.id, { kind, useMark }))
    .find((found) => found !== undefined);
  return {
    hasServer: knowsServer(host, place),
    hook: hook?.asks,
    recordsUse: hook?.recordsUse ?? false,
    log: readTimes(place.agentHome, host.id),
  };
}

/** Do the settings of a host, for its user or for this project, name our MCP server? */
export function knowsServer(
  { id }: Pick<KnownHost, 'id'>,
  place: Pick<ConnectPlace, 'cwd' | 'home' | 'variables'>,
): boolean {
  const entry = serverEntry(id);
  return [entry.file(place), ...entry.projectFiles(place.cwd)].some((file) => entry.find(readText(file)) !== undefined);
}

function readTimes(agentHome: string, id: HostId): HookTimes {
  const { asked, spoke, late } = readHookLog(agentHome, id);
  const toTime = (at: number): string | undefined => (at === 0 ? undefined : isoTime(at));
  return { asked: toTime(asked), spoke: toTime(spoke), late: toTime(late) };
}

function readText(path: string): string {
  const read = readOwnText(path);
  return read.ok ? (read.text ?? '') : '';
}
