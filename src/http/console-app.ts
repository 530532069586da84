import { Hono, type Context } from 'hono';
import { bodyLimit } from 'hono/body-limit';

import { parseJson } from '../model/json.ts';
import type { Outcome } from '../model/outcome.ts';
import { CHANGES, JOBS, READS } from './api.ts';
import { OPEN_AGAIN, type ConsoleGuard } from './console-guard.ts';
import { answerRefusal, runEndpoint, type ConsoleContext, type Endpoint } from './endpoint.ts';
import { streamJob } from './job-stream.ts';
import type { LiveEvents } from './live-events.ts';
import { PAGE_HEADERS, servePage, type PageFiles } from './page-files.ts';

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
  app.get('/api/events', (c) => events.open(c) ?? answerRefusal(503, 'Too many pages are open'));
  for (const [path, endpoint] of list(READS))
    app.get(`/api/${path}`, ({ req }) => answer(path, endpoint, readQuery(req.raw), req.raw, parts));
  for (const [path, endpoint] of list(CHANGES))
    app.post(`/api/${path}`, async ({ req }) => answer(path, endpoint, parseJson(await req.text()), req.raw, parts));
  for (const [path, endpoint] of list(JOBS))
    app.post(`/api/${path}`, async (c) => startJob(path, endpoint, parseJson(await c.req.text()), c, parts));
  app.all('/api/*', () => answerRefusal(404, 'Unknown operation'));
  app.on(['GET', 'HEAD'], '*', ({ req }) => servePage(files, req.raw) ?? answerRefusal(404, 'File not found'));
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
    page ?? answerRefusal(401, 'This browser has not opened the console yet', { code: 'UNKNOWN', next: OPEN_AGAIN })
  );
}

type AnyEndpoint = Endpoint<unknown, Outcome>;

/** Each endpoint checks its own input, so it takes whatever comes. */
function list(endpoints: Readonly<Record<string, unknown>>): readonly (readonly [string, AnyEndpoint])[] {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- see above
  return Object.entries(endpoints) as [string, AnyEndpoint][];
}

const NO_JSON = 'The body is not JSON';

async function answer(
  path: string,
  endpoint: AnyEndpoint,
  given: unknown,
  { signal }: Request,
  { context }: AppParts,
): Promise<Response> {
  if (given === undefined) return answerRefusal(400, NO_JSON);
  const outcome = await runEndpoint(path, endpoint, given, context, { signal, report: () => undefined });
  const status = 'status' in outcome ? outcome.status : 200;
  return Response.json(outcome, { status, headers: { 'cache-control': 'no-store' } });
}

function startJob(
  path: string,
  endpoint: AnyEndpoint,
  given: unknown,
  c: Context,
  { context, onError }: AppParts,
): Response {
  if (given === undefined) return answerRefusal(400, NO_JSON);
  return streamJob(c, (working) => runEndpoint(path, endpoint, given, context, working), onError);
}

function readQuery({ url }: Request): unknown {
  return Object.fromEntries(new URL(url).searchParams);
}
