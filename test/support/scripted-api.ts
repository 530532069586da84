import { once } from 'node:events';
import { createServer, type IncomingHttpHeaders, type IncomingMessage, type ServerResponse } from 'node:http';
import { text } from 'node:stream/consumers';

import { onTestFinished } from 'vitest';

export interface ApiRequest {
  readonly path: string | undefined;
  readonly headers: IncomingHttpHeaders;
  readonly body: Readonly<Record<string, unknown>>;
}

/** An answer, or what makes it from the request. */
export type ScriptedAnswer = object | ((request: ApiRequest) => object);

/** A local HTTP server that gives these answers one after the other, and records what it was asked. */
export async function startScriptedApi(
  answers: readonly ScriptedAnswer[],
): Promise<{ readonly url: string; readonly requests: readonly ApiRequest[] }> {
  const requests: ApiRequest[] = [];
  const handle = async (incoming: IncomingMessage, outgoing: ServerResponse): Promise<void> => {
    const body = JSON.parse(await text(incoming)) as ApiRequest['body'];
    const request = { path: incoming.url, headers: incoming.headers, body };
    const scripted = answers[requests.length];
    requests.push(request);
    const answer = typeof scripted === 'function' ? (scripted(request) as object) : scripted;
    outgoing.writeHead(answer === undefined ? 500 : 200, { 'content-type': 'application/json' });
    outgoing.end(JSON.stringify(answer ?? { error: 'the script has ended' }));
  };
  const server = createServer((incoming, outgoing) => void handle(incoming, outgoing));
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => void server.close());
  const address = server.address();
  const port = typeof address === 'object' && address !== null ? address.port : 0;
  return { url: `http://127.0.0.1:${port}`, requests };
}
