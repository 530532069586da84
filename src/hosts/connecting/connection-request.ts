import { findCommand } from '../../platform/environment.ts';
import { ownCommand } from '../../platform/package-file.ts';
import type { KnownHost } from '../host.ts';
import type { ConnectPlace, ConnectRequest } from './connect-host.ts';
import { readConnection } from './read-connection.ts';

/** The parts of us that a host shall have. */
export interface WantedConnection {
  readonly server: boolean;
  readonly hook: boolean;
  /** Its hook tells us of every skill that is used. */
  readonly recordsUse: boolean;
  /** Start a process for each hook call, even if it could ask the MCP server. Default: the previous choice. */
  readonly startsProcess?: boolean | undefined;
}

/** How to connect a host: with the command that starts this program from anywhere. */
export function requestConnection(host: KnownHost, wanted: WantedConnection, place: ConnectPlace): ConnectRequest {
  const { server, hook, recordsUse, startsProcess = startedProcess(host, place) } = wanted;
  const [command = '', ...args] = ownCommand(findCommand('skillplane', place) !== undefined);
  return {
    server: server ? { kind: 'stdio', command, args: [...args, 'mcp', '--agent', host.id] } : undefined,
    hook: hook ? [command, ...args, 'hook', host.id] : undefined,
    startsProcess,
    recordsUse,
  };
}

function startedProcess(host: KnownHost, place: ConnectPlace): boolean {
  const { hasServer, hook } = readConnection(host, place);
  return hasServer && hook === 'process';
}
