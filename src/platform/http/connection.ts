import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';

/** Facts about a client's connection. */
export interface ClientConnection {
  readonly socket: Socket;
  /** Aborted when it is closed. */
  readonly signal: AbortSignal;
  /** Requests that are not answered yet, complete or not. */
  readonly requests: Set<IncomingMessage>;
  /** When it was opened, or its last request ended. */
  since: number;
  /** `socket.bytesRead` at that time. */
  readBefore: number;
  /** Bytes of answers that wait for the client. */
  unsent: number;
  /** The counters of the socket when they last changed, and that time. */
  sent: string;
  lastRead: number;
}

export function openConnection(socket: Socket, time: number): ClientConnection {
  const closing = new AbortController();
  socket.once('close', () => closing.abort());
  return {
    socket,
    signal: closing.signal,
    requests: new Set(),
    since: time,
    readBefore: 0,
    unsent: 0,
    sent: '',
    lastRead: time,
  };
}

export interface Exchange {
  readonly incoming: IncomingMessage;
  readonly outgoing: ServerResponse;
}

/** Follows a request until its answer is sent. */
export function followExchange(
  connection: ClientConnection,
  { incoming, outgoing }: Exchange,
  now: () => number,
): void {
  connection.requests.add(incoming);
  outgoing.once('close', () => {
    connection.requests.delete(incoming);
    connection.since = now();
    connection.readBefore = connection.socket.bytesRead;
  });
}

/** The number of complete requests that are being answered. */
export function countAnswers({ requests }: ClientConnection): number {
  return [...requests].filter(({ complete }) => complete).length;
}

/** Remembers when the client last read something, as far as its socket shows. */
export function noticeReading(connection: ClientConnection, time: number): void {
  const { bytesWritten, writableLength } = connection.socket;
  const sent = `${bytesWritten} ${writableLength}`;
  if (sent === connection.sent && writableLength > 0) return;
  connection.sent = sent;
  connection.lastRead = time;
}

/** The bytes of requests that are not complete yet. */
export function receivedBytes({ requests, socket, readBefore }: ClientConnection): number {
  return [...requests].every(({ complete }) => complete) ? 0 : socket.bytesRead - readBefore;
}
