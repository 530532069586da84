import { Hono } from 'hono';
import { bodyLimit } from 'hono/body-limit';

import { parseJson } from '../model/json.ts';
import { ENDPOINTS } from './answers/all-answers.ts';
import type { ConsoleContext } from './console-context.ts';
import { OPEN_AGAIN, type ConsoleGuard } from './console-guard.ts';
import type { Endpoint } from './endpoint.ts';
import { streamJob } from './job-stream.ts';
import type { LiveEvents } from './live-events.ts';
import { PAGE_HEADERS, servePage, type PageFiles } from './page-files.ts';
import { answerRefusal } from './refusal.ts';

export interface AppParts {
  readonly context: ConsoleContext;
  readonly guard: ConsoleGuard;
  readonly events: LiveEvents;
  readonly files: PageFiles;
  readonly onError: (error: unknown) => void;
}

const MAX_BODY_BYTES: number = 256 * 1024;

/** The console as a function from `Request` to `Response`: the guards, the API, and the page. */
export function openConsoleApp(parts: AppParts): Hono {
  const { guard, events, files, onError } = parts;
  const app = new Hono();
  app.onError((error) => {
    onError(error);
    return answerRefusal(500, 'Something went wrong in the console', { code: 'BUG' });
  });
  app.use(async (c, next) => {
    c.res = guard.check(c.req.raw) ?? guard.admit(c.req.raw) ?? (await passKnown(parts, c.req.raw, next)) ?? c.res;
    for (const [name, value] of Object.entries(PAGE_HEADERS)) c.res.headers.set(name, value);
  });
  app.use(
    '/api/*',
    bodyLimit({ maxSize: MAX_BODY_BYTES, onError: () => answerRefusal(413, 'The request is too large') }),
  );
  app.get('/api/events', () => events.open() ?? answerRefusal(503, 'Too many pages are open'));
  for (const endpoint of ENDPOINTS) {
    const method = endpoint.kind === 'read' ? 'GET' : 'POST';
    app.on(method, `/api/${endpoint.path}`, ({ req }) => answer(endpoint, req.raw, parts));
  }
  app.all('/api/*', () => answerRefusal(404, 'There is no such operation'));
  app.on(['GET', 'HEAD'], '*', ({ req }) => servePage(files, req.raw) ?? answerRefusal(404, 'There is no such file'));
  app.all('*', () => answerRefusal(405, 'Only the API takes changes'));
  return app;
}

/** Lets a browser pass that came through the opened address. Anyone else gets the files of the page, which say nothing. */
async function passKnown(
  { guard, files }: AppParts,
  request: Request,
  next: () => Promise<void>,
): Promise<Response | undefined> {
  if (guard.isKnown(request)) {
    await next();
    return undefined;
  }
  const isPage = !new URL(request.url).pathname.startsWith('/api/') && request.method === 'GET';
  const page = isPage ? servePage(files, request) : undefined;
  return (
    page ?? answerRefusal(401, 'This browser has not opened the console yet', { code: 'UNKNOWN', hint: OPEN_AGAIN })
  );
}

async function answer(endpoint: Endpoint, request: Request, { context, onError }: AppParts): Promise<Response> {
  const given = endpoint.kind === 'read' ? readQuery(request) : parseJson(await request.text());
  if (given === undefined) return answerRefusal(400, 'The body is not JSON');
  if (endpoint.kind === 'job')
    return streamJob((working) => endpoint.run(context, given, working), { signal: request.signal, onError });
  const outcome = await endpoint.run(context, given, { signal: request.signal, report: () => undefined });
  const status = 'status' in outcome ? outcome.status : 200;
  return Response.json(outcome, { status, headers: { 'cache-control': 'no-store' } });
}

function readQuery({ url }: Request): unknown {
  return Object.fromEntries(new URL(url).searchParams);
}
