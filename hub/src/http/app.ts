import { Hono, type Context } from 'hono';

import { checkChange, checkOrigin } from '../access/browser-session.ts';
import { mayAnywhere, mayEverywhere, mayIn, NOBODY, type Identity } from '../access/roles.ts';
import { CommitUnknown, isConnectionLoss, isFull } from '../database/database.ts';
import type { Hub } from '../hub.ts';
import { refuse, type Refusal, type Result } from '../refusal.ts';
import { DamagedBlob } from '../store/blobs.ts';
import { isStorable } from '../store/storable.ts';
import { ROUTES } from './all-routes.ts';
import type { Access, Route } from './route.ts';
import { jsonAnswer } from './serve-bytes.ts';

/** The client, as the listener knows it. */
export interface ClientAddress {
  readonly address: string | undefined;
}

/** Larger than any skill that may be published. */
const MAX_ARCHIVE_BYTES: number = 24 * 1024 * 1024;
const MAX_JSON_BYTES: number = 1024 * 1024;

type HubContext = Context<{ Bindings: ClientAddress }>;

/** The hub as a function from request to response. */
export function openApp(hub: Hub): (request: Request, client: ClientAddress) => Promise<Response> {
  const app = new Hono<{ Bindings: ClientAddress }>();
  for (const one of ROUTES) app.on(one.method, one.path, (context) => answerRoute(hub, one, context));
  app.notFound(() => toAnswer(refuse('NOT_FOUND', 'there is nothing here; see /api/v1/openapi.json')));
  app.onError((error) => toAnswer(toRefusal(hub, error)));
  return async (request, client) => app.fetch(request, client);
}

async function answerRoute(hub: Hub, one: Route, context: HubContext): Promise<Response> {
  const started = performance.now();
  const answered = await carryOut(hub, one, context).catch((error: unknown) => toAnswer(toRefusal(hub, error)));
  hub.metrics.record({
    route: one.path,
    method: context.req.raw.method,
    status: answered.status,
    seconds: (performance.now() - started) / 1_000,
  });
  const stale = hub.followed.staleSince();
  if (stale !== undefined) answered.headers.set('x-hub-stale-since', stale.toISOString());
  return answered;
}

async function carryOut(hub: Hub, one: Route, context: HubContext): Promise<Response> {
  const { raw } = context.req;
  // Public routes change nothing in anyone's name.
  const foreign =
    checkOrigin(raw, hub.settings.publicUrl) ?? (one.access.kind === 'public' ? undefined : checkChange(raw));
  if (foreign !== undefined) return toAnswer(foreign);
  const found = await hub.identifier.identify(raw, context.env.address);
  const identity = found.ok ? found.identity : one.access.kind === 'public' ? NOBODY : undefined;
  if (!found.ok && identity === undefined) return toAnswer(found);
  if (identity === undefined) throw new Error('unreachable');
  const params: Readonly<Record<string, string>> = { ...context.req.param(), ...readRest(one, context.req.path) };
  if (!isAllowed(one.access, identity, params['scope'] ?? '')) return toAnswer(forbid(identity, one.access));
  if (!isStorable(params) || !isStorable(context.req.query())) return toAnswer(NOT_TEXT);
  const query = one.query?.safeParse(context.req.query());
  if (query?.success === false) return toAnswer(refuse('BAD_REQUEST', describeIssues(query.error.issues)));
  using turn = one.body === 'archive' ? await hub.publishing.enter() : undefined;
  if (one.body === 'archive' && turn === undefined)
    return toAnswer(refuse('BUSY', 'too many archives arrive at once', { advice: 'Try again in a moment.' }));
  const body = await readBody(one, raw);
  if (!body.ok) return toAnswer(body);
  const answered = await one.answer({ hub, identity, params, query: query?.data, body: body.value, request: raw });
  return answered instanceof Response ? answered : toAnswer(answered);
}

const NOT_TEXT = refuse('BAD_REQUEST', 'a NUL or half a character is not text that the hub can keep');

function isAllowed(access: Access, identity: Identity, scope: string): boolean {
  if (access.kind === 'public') return true;
  if (access.kind === 'scope') return mayIn(identity, access.role, scope);
  return access.kind === 'any' ? mayAnywhere(identity, access.role) : mayEverywhere(identity, access.role);
}

function forbid({ person, grants }: Identity, access: Access): Refusal {
  const needed = access.kind === 'public' ? 'reader' : access.role;
  const has = grants.map(({ role, scope }) => `${role} of ${scope}`).join(', ') || 'nothing';
  return refuse('FORBIDDEN', `this needs the role ${needed}; ${person} is ${has}`);
}

/** The part of a path that a last `*` stands for. */
function readRest({ path }: Route, actual: string): { readonly rest?: string } {
  if (!path.endsWith('*')) return {};
  const depth = path.split('/').length - 1;
  const rest = actual.split('/').slice(depth).join('/');
  return { rest: decodeOrKeep(rest) };
}

function decodeOrKeep(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch (error) {
    if (error instanceof URIError) return text;
    throw error;
  }
}

async function readBody({ body }: Route, request: Request): Promise<Result<{ readonly value: unknown }>> {
  if (body === undefined) return { ok: true, value: undefined };
  const limit = body === 'archive' ? MAX_ARCHIVE_BYTES : MAX_JSON_BYTES;
  const bytes = await readBytes(request, limit);
  if (bytes === undefined) return refuse('TOO_LARGE', `the body is larger than ${limit} bytes`);
  if (body === 'archive') return { ok: true, value: bytes };
  try {
    const text = bytes.length === 0 ? '{}' : new TextDecoder('utf-8', { fatal: true }).decode(bytes);
    const given: unknown = JSON.parse(text);
    if (!isStorable(given)) return NOT_TEXT;
    const parsed = body.safeParse(given);
    return parsed.success
      ? { ok: true, value: parsed.data }
      : refuse('BAD_REQUEST', describeIssues(parsed.error.issues));
  } catch (error) {
    if (!(error instanceof SyntaxError) && !(error instanceof TypeError)) throw error;
    return refuse('BAD_REQUEST', 'the body is not JSON');
  }
}

/** Undefined if there are more. */
async function readBytes({ body, headers }: Request, limit: number): Promise<Uint8Array | undefined> {
  if (body === null) return new Uint8Array();
  if (Number(headers.get('content-length') ?? 0) > limit) return undefined;
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of body) {
    size += chunk.length;
    if (size > limit) return undefined;
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}

function describeIssues(
  issues: readonly { readonly path: readonly PropertyKey[]; readonly message: string }[],
): string {
  return issues.map(({ path, message }) => `${path.map(String).join('.') || 'request'}: ${message}`).join('; ');
}

function toRefusal(hub: Hub, error: unknown): Refusal {
  hub.onError(error);
  if (error instanceof DamagedBlob)
    return refuse('DAMAGED', error.message, {
      advice: 'Restore it from a backup; the hub gives out nothing that is damaged.',
    });
  if (error instanceof CommitUnknown)
    return refuse('UNAVAILABLE', 'the hub lost its database while it wrote your change', {
      advice: 'It may have been written. Look, and do it again if not.',
    });
  if (isConnectionLoss(error))
    return refuse('UNAVAILABLE', 'the hub cannot reach its database', {
      advice: 'Nothing was changed. Try again in a moment.',
    });
  if (isFull(error))
    return refuse('FULL', 'the database has no room left', {
      advice: 'Nothing was changed. Tell whoever runs the hub.',
    });
  return refuse('INTERNAL', 'the hub failed; its log says why');
}

function toAnswer(result: Result): Response {
  if (result.ok) return jsonAnswer(JSON.stringify(result));
  const { status, ok, code, message, advice, details } = result;
  return jsonAnswer(JSON.stringify({ ok, code, message, advice, details }), status, {
    ...(status === 401 ? { 'www-authenticate': 'Bearer realm="skillplane-hub"' } : {}),
    ...(status === 503 || status === 429 ? { 'retry-after': '2' } : {}),
  });
}
