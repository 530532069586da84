import type { ServerResponse } from 'node:http';
import type { Socket } from 'node:net';

import { carryBody } from './carry-body.ts';
import {
  countAnswers,
  followExchange,
  noticeReading,
  openConnection,
  receivedBytes,
  type ClientConnection,
  type Exchange,
} from './connection.ts';

/** Limits of a server that hold whatever its clients do. */
export interface ConnectionLimits {
  /** 256. A new client replaces the one that takes longest to send its request. */
  readonly maxConnections?: number | undefined;
  /** Of requests that are not complete yet, in all; 32 MiB. Beyond it, the largest is cut. */
  readonly maxReceivingBytes?: number | undefined;
  /** Of answers that one client has not read yet; 32 MiB. A single answer may be larger. */
  readonly maxClientBytes?: number | undefined;
  /** Of answers that clients have not read yet, in all; 64 MiB. Beyond it, the slowest reader is cut. */
  readonly maxUnsentBytes?: number | undefined;
  /** A client that reads nothing for this long is cut; 10 seconds. */
  readonly stallMs?: number | undefined;
}

/** A small answer whose bytes are all there, so that it needs no stream. */
export interface WholeAnswer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  /** At most `MAX_WHOLE_BYTES`. */
  readonly body: string | Uint8Array | null;
}

/** Whether a client reads a larger answer shows only if it is given out in slices: send a `Response` then. */
export const MAX_WHOLE_BYTES: number = 64 * 1024;

/** The open connections of a server. Slow clients are cut, so that they cost no more than their share. */
export interface Connections {
  /** Call this for each new connection. */
  accept(socket: Socket): void;
  /** Call this for each request, before it is answered. */
  begin(exchange: Exchange): void;
  /** Returns the same response, whose unread bytes count against the limits. */
  carry(response: Response, socket: Socket): Response;
  /** Sends an answer, whose bytes count until the client has them. */
  send(answer: WholeAnswer, outgoing: ServerResponse, socket: Socket): void;
  /** Cuts clients that are too slow, or send too much. Call this several times a second. */
  sweep(): void;
}

const MIB: number = 1024 * 1024;

/** `now` is in milliseconds, from any starting point. */
export function openConnections(
  limits: ConnectionLimits = {},
  now: () => number = () => performance.now(),
): Connections {
  const { maxConnections = 256, maxReceivingBytes = 32 * MIB, stallMs = 10_000 } = limits;
  const { maxClientBytes = 32 * MIB, maxUnsentBytes = 64 * MIB } = limits;
  const open = new Map<Socket, ClientConnection>();
  const cut = (connection: ClientConnection): void => {
    open.delete(connection.socket);
    connection.socket.destroy();
  };
  /** Cuts clients until the sum of what they cost is within the limit. */
  const bound = (limit: number, costOf: Measure, choose: typeof findSlowest) => {
    for (;;) {
      const costly = [...open.values()].filter((connection) => costOf(connection) > 0);
      const victim = costly.reduce((sum, one) => sum + costOf(one), 0) > limit ? choose(costly) : undefined;
      if (victim === undefined) return;
      cut(victim);
    }
  };
  const boundAllUnsent = (): void => bound(maxUnsentBytes, unsentBytes, findSlowest);
  const boundUnsent = (connection: ClientConnection): void => {
    if (connection.unsent > maxClientBytes && countAnswers(connection) > 1) cut(connection);
    for (const other of open.values()) noticeReading(other, now());
    boundAllUnsent();
  };
  return {
    accept(socket) {
      const connection = openConnection(socket, now());
      open.set(socket, connection);
      const half = [...open.values()].filter((other) => countAnswers(other) === 0);
      if (open.size > maxConnections) cut(least(half, ({ since }) => since) ?? connection);
      socket.once('close', () => open.delete(socket));
    },
    begin(exchange) {
      const connection = open.get(exchange.incoming.socket);
      if (connection !== undefined) followExchange(connection, exchange, now);
    },
    carry(response, socket) {
      const connection = open.get(socket);
      if (connection === undefined) return dropBody(response);
      const count = (bytes: number): void => {
        connection.unsent += bytes;
        if (bytes > 0) boundUnsent(connection);
      };
      return carryBody(response, { maxBytes: maxClientBytes, count, signal: connection.signal });
    },
    send: (answer, outgoing, socket) => sendWhole(answer, outgoing, open.get(socket)),
    sweep() {
      for (const connection of open.values()) {
        noticeReading(connection, now());
        const isWaiting = connection.socket.writableLength > 0;
        if (isWaiting && now() - connection.lastRead > stallMs) cut(connection);
      }
      bound(maxReceivingBytes, receivedBytes, (costly) => least(costly, (one) => -receivedBytes(one)));
      boundAllUnsent();
    },
  };
}

/** The sweep bounds what clients leave unread of such answers: each is small, and Node takes few requests of a client that reads nothing. */
function sendWhole(
  { status, headers, body }: WholeAnswer,
  outgoing: ServerResponse,
  connection: ClientConnection | undefined,
): void {
  const bytes = body === null ? 0 : Buffer.byteLength(body);
  if (connection !== undefined) {
    connection.unsent += bytes;
    outgoing.once('close', () => (connection.unsent -= bytes));
  }
  outgoing.writeHead(status, body === null ? headers : { ...headers, 'content-length': bytes });
  outgoing.end(body ?? undefined);
}

type Measure = (connection: ClientConnection) => number;

function unsentBytes({ unsent }: ClientConnection): number {
  return unsent;
}

/** A single answer may be larger than all may be together. */
function findSlowest(costly: readonly ClientConnection[]): ClientConnection | undefined {
  return costly.length > 1 ? least(costly, lastRead) : undefined;
}

function lastRead(connection: ClientConnection): number {
  return connection.lastRead;
}

function least(connections: readonly ClientConnection[], measure: Measure): ClientConnection | undefined {
  return connections.toSorted((a, b) => measure(a) - measure(b))[0];
}

/** The client has gone. */
function dropBody(response: Response): Response {
  void response.body?.cancel();
  return new Response(null, { status: 503 });
}
