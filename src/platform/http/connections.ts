import type { Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';

/** Limits that protect a server from its clients. */
export interface ConnectionLimits {
  /** 256. A new client replaces the one that takes longest to send its request. */
  readonly maxConnections?: number | undefined;
  /** Of requests that are not complete yet, in all; 32 MiB. Beyond it, the largest is cut. */
  readonly maxReceivingBytes?: number | undefined;
  /** Of answers that clients have not read yet, in all; 64 MiB. Beyond it, the slowest reader is cut. A single answer may be larger. */
  readonly maxUnsentBytes?: number | undefined;
  /** A client that reads nothing for this long is cut; 10 seconds. It may take twice as long to notice. */
  readonly stallMs?: number | undefined;
}

interface Client {
  readonly socket: Socket;
  /** To requests that have begun to arrive, until they are sent. */
  readonly answers: Set<ServerResponse>;
  /** When it connected, or its last answer was sent. */
  since: number;
  /** `socket.bytesRead` at that time. */
  readBefore: number;
  /** Bytes that the client took, when that was last looked at, and the time when they last became more. */
  taken: number;
  lastTaken: number;
}

const MIB: number = 1024 * 1024;

export interface Connections {
  /** Cuts clients that hold up others. Call it after each answer was written, and several times a second. */
  readonly relieve: () => void;
  /** Ends each connection as soon as all of its answers are sent. */
  readonly end: () => void;
}

/** Watches over the clients of a server, beyond what Node's own timeouts do. */
export function limitConnections(server: Server, limits: ConnectionLimits): Connections {
  const { maxConnections = 256, maxReceivingBytes = 32 * MIB, maxUnsentBytes = 64 * MIB, stallMs = 10_000 } = limits;
  const clients = new Map<Socket, Client>();
  let isEnding = false;
  const cut = ({ socket }: Client): void => {
    clients.delete(socket);
    socket.destroy();
  };
  server.on('connection', (socket) => {
    const since = performance.now();
    const client = { socket, answers: new Set<ServerResponse>(), since, readBefore: 0, taken: 0, lastTaken: since };
    clients.set(socket, client);
    socket.once('close', () => clients.delete(socket));
    if (clients.size <= maxConnections) return;
    const unanswered = [...clients.values()].filter(({ answers }) => ![...answers].some(({ req }) => req.complete));
    cut(unanswered.toSorted((a, b) => a.since - b.since)[0] ?? client);
  });
  server.on('request', ({ socket }, answer) => {
    const client = clients.get(socket);
    client?.answers.add(answer);
    answer.once('close', () => {
      client?.answers.delete(answer);
      if (client === undefined) return;
      client.since = performance.now();
      client.readBefore = socket.bytesRead;
      if (isEnding) endIfAnswered(client);
    });
  });
  // Also called for connections that wait for another request, which end then.
  server.setTimeout(stallMs, (socket) => {
    const isWorking = (clients.get(socket)?.answers.size ?? 0) > 0 && socket.writableLength === 0;
    if (!isWorking) socket.destroy();
  });
  const relieve = (): void => {
    const busy = [...clients.values()].filter(({ answers }) => answers.size > 0);
    for (const client of busy) noticeReading(client);
    const slowest = busy.filter((client) => unsentBytes(client) > 0).toSorted((a, b) => a.lastTaken - b.lastTaken);
    const isLast = (client: Client): boolean => client === slowest.at(-1) && client.answers.size === 1;
    for (const client of listBeyond(slowest, unsentBytes, maxUnsentBytes)) if (!isLast(client)) cut(client);
    const largest = busy.toSorted((a, b) => receivedBytes(b) - receivedBytes(a));
    for (const client of listBeyond(largest, receivedBytes, maxReceivingBytes)) cut(client);
  };
  return {
    relieve,
    end() {
      isEnding = true;
      for (const client of clients.values()) endIfAnswered(client);
    },
  };
}

/** Otherwise it would wait for another request. */
function endIfAnswered({ socket, answers }: Client): void {
  if (answers.size === 0) socket.destroySoon();
}

/** The first clients, until the others together are within the limit. */
function listBeyond(clients: readonly Client[], bytesOf: (client: Client) => number, limit: number): readonly Client[] {
  let left = clients.reduce((sum, client) => sum + bytesOf(client), 0);
  return clients.filter((client) => {
    const isBeyond = left > limit;
    left -= bytesOf(client);
    return isBeyond;
  });
}

function noticeReading(client: Client): void {
  const { bytesWritten, writableLength } = client.socket;
  const taken = bytesWritten - writableLength;
  if (taken === client.taken && writableLength > 0) return;
  client.taken = taken;
  client.lastTaken = performance.now();
}

function unsentBytes({ answers }: Client): number {
  return [...answers].reduce((sum, { writableLength }) => sum + writableLength, 0);
}

/** Of requests that are not complete yet. */
function receivedBytes({ answers, socket, readBefore }: Client): number {
  return [...answers].every(({ req }) => req.complete) ? 0 : socket.bytesRead - readBefore;
}
