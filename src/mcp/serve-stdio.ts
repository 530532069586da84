import type { Readable, Writable } from 'node:stream';
import { setImmediate as nextTurn } from 'node:timers/promises';

import type { McpServer } from '@modelcontextprotocol/server';
import { serveStdio as serveConnection, StdioServerTransport } from '@modelcontextprotocol/server/stdio';

import type { SkillServer } from './skill-server.ts';

export interface StdioOptions {
  readonly input: Readable;
  /** Nothing but the protocol is written there. */
  readonly output: Writable;
  /** Aborted when the server is to finish what runs, and end. */
  readonly signal: AbortSignal;
  readonly onError?: ((error: unknown) => void) | undefined;
}

/** A message of a client over stdio, in bytes; the largest that a tool needs is far smaller. */
const MAX_MESSAGE_BYTES: number = 4 * 1024 * 1024;

/** Serves one client over a pair of streams until it hangs up or the signal is aborted. */
export async function serveStdio(skillServer: SkillServer, options: StdioOptions): Promise<void> {
  const { input, output, signal, onError } = options;
  const connected = new Set<McpServer>();
  const transport = new StdioServerTransport(input, output, { maxBufferSize: MAX_MESSAGE_BYTES });
  const end = waitForEnd(transport, signal);
  const connect = async (): Promise<McpServer> => {
    const server = await skillServer.connect();
    connected.add(server);
    return server;
  };
  const connection = serveConnection(connect, { transport, ...(onError === undefined ? {} : { onerror: onError }) });
  using _changes = skillServer.onChange(() => {
    for (const server of connected) announceChange(server);
  });
  await end;
  if (signal.aborted) {
    input.pause();
    await skillServer.idle();
    await nextTurn();
  }
  await connection.close();
  await skillServer.idle();
  input.destroy();
}

/** Tells a client that all lists may be different now; one that is not connected any more hears nothing. */
export function announceChange(server: McpServer): void {
  server.sendToolListChanged();
  server.sendPromptListChanged();
  server.sendResourceListChanged();
}

/** The client hung up, nobody reads what is written, a message was too large, or we are to end. */
function waitForEnd(transport: StdioServerTransport, signal: AbortSignal): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  const close = transport.close.bind(transport);
  transport.close = () => close().finally(resolve);
  if (signal.aborted) resolve();
  signal.addEventListener('abort', () => resolve(), { once: true });
  return promise;
}
