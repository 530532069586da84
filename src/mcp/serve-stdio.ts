import type { Readable, Writable } from 'node:stream';
import { setImmediate as nextTurn } from 'node:timers/promises';

import type { McpServer } from '@modelcontextprotocol/server';
import { serveStdio as serveConnection, StdioServerTransport } from '@modelcontextprotocol/server/stdio';

import { clientNameOf } from './client-name.ts';
import type { SkillServer } from './skill-server.ts';

export interface StdioOptions {
  readonly input: Readable;
  /** Only protocol messages are written to it. */
  readonly output: Writable;
  /** When aborted, the server finishes running calls and ends. */
  readonly signal: AbortSignal;
  readonly onError?: ((error: unknown) => void) | undefined;
}

/** Far more than any tool needs. */
const MAX_MESSAGE_BYTES: number = 4 * 1024 * 1024;

/** Serves one client over a pair of streams until it hangs up or the signal is aborted. */
export async function serveStdio(skillServer: SkillServer, options: StdioOptions): Promise<void> {
  const { input, output, signal, onError } = options;
  const connected = new Set<McpServer>();
  const transport = new StdioServerTransport(input, output, { maxBufferSize: MAX_MESSAGE_BYTES });
  const end = waitForEnd(transport, signal);
  const client = readClientName(transport);
  const connect = async (): Promise<McpServer> => {
    const server = await skillServer.connect({ client: client() });
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

/** Notifies the client that all lists may have changed, if it is still connected. */
function announceChange(server: McpServer): void {
  server.sendToolListChanged();
  server.sendPromptListChanged();
  server.sendResourceListChanged();
}

/** The name that the client gave itself in its first message: the server is made when that has arrived. */
function readClientName(transport: StdioServerTransport): () => string | undefined {
  let name: string | undefined;
  const start = transport.start.bind(transport);
  transport.start = () => {
    const receive = transport.onmessage;
    // A field of the SDK, not a handler of an event target.
    // oxlint-disable-next-line unicorn/prefer-add-event-listener
    transport.onmessage = (message) => {
      name ??= clientNameOf(message);
      receive?.(message);
    };
    return start();
  };
  return () => name;
}

/** Resolves when the client hangs up, the output closes, a message is too large, or the signal is aborted. */
function waitForEnd(transport: StdioServerTransport, signal: AbortSignal): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  const close = transport.close.bind(transport);
  transport.close = () => close().finally(resolve);
  if (signal.aborted) resolve();
  signal.addEventListener('abort', () => resolve(), { once: true });
  return promise;
}
