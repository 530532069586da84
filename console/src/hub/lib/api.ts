import type {
  DiffAnswer,
  LogAnswer,
  MembersAnswer,
  NewTokenAnswer,
  ReviewsAnswer,
  ScopeRules,
  ScopesAnswer,
  SearchAnswer,
  SessionAnswer,
  SkillPageAnswer,
  SkillsAnswer,
  TokensAnswer,
  UsageAnswer,
  UsersAnswer,
  VersionPageAnswer,
  VersionsAnswer,
  WireRole,
  WireVerdict,
} from '../../../../hub/src/http/wire.ts';
import type { WireFailure } from '../../../../src/http/wire.ts';
import { isConnected, revision } from '../../lib/connection.ts';
import { LOST_CODE, send, toAnswer, withQuery, type Answer } from '../../lib/wire.ts';
import { session, staleSince } from './session.ts';

/** A question to the hub: its address says all of it. The type is that of the answer. */
export interface Question<T> {
  readonly address: string;
  readonly answers?: T;
}

export interface SkillName {
  readonly scope: string;
  readonly name: string;
}

export interface VersionName extends SkillName {
  readonly version: string;
}

const BASE = '/api/v1';

function question<T>(path: string, input: object = {}): Question<T> {
  return { address: withQuery(`${BASE}${path}`, input) };
}

function pathOf({ scope, name }: SkillName): string {
  return `/skills/${encodeURIComponent(scope)}/${encodeURIComponent(name)}`;
}

function scopePath(scope: string): string {
  return `/scopes/${encodeURIComponent(scope)}`;
}

function versionPath({ version, ...skill }: VersionName): string {
  return `${pathOf(skill)}/versions/${encodeURIComponent(version)}`;
}

/** Everything that can be asked. */
export const questions = {
  session: (): Question<SessionAnswer> => question('/session'),
  skills: (after: string | undefined): Question<SkillsAnswer> => question('/skills', { after, limit: 1_000 }),
  search: (q: string, scope: string | undefined, tag: string | undefined): Question<SearchAnswer> =>
    question('/search', { q, scope, tag, limit: 50 }),
  skill: (skill: SkillName): Question<SkillPageAnswer> => question(pathOf(skill)),
  versions: (skill: SkillName): Question<VersionsAnswer> => question(`${pathOf(skill)}/versions`),
  version: (name: VersionName): Question<VersionPageAnswer> => question(versionPath(name)),
  diff: (name: VersionName, other: string): Question<DiffAnswer> =>
    question(`${versionPath(name)}/diff/${encodeURIComponent(other)}`),
  reviews: (): Question<ReviewsAnswer> => question('/reviews'),
  scopes: (): Question<ScopesAnswer> => question('/scopes'),
  members: (scope: string): Question<MembersAnswer> => question(`${scopePath(scope)}/members`),
  tokens: (): Question<TokensAnswer> => question('/tokens'),
  log: (scope: string | undefined, before: number | undefined): Question<LogAnswer> =>
    question('/log', { scope, before, limit: 100 }),
  usage: (since: string, scope?: string): Question<UsageAnswer> => question('/usage', { since, scope }),
  users: (scope: string, since: string): Question<UsersAnswer> => question(`${scopePath(scope)}/usage`, { since }),
} as const;

/** The address of a file, and of an archive. */
export function fileAddress(name: VersionName, path: string): string {
  return `${BASE}${versionPath(name)}/files/${path.split('/').map(encodeURIComponent).join('/')}`;
}

export function archiveAddress(name: VersionName): string {
  return `${BASE}${versionPath(name)}/archive`;
}

/** Asks a question. */
export async function ask<T>({ address }: Question<T>, signal?: AbortSignal): Promise<Answer<T>> {
  const response = await sendAndSee(address, signal === undefined ? {} : { signal });
  return toAnswer(response, LOST);
}

/** The beginning of a file, as far as it can be shown; `text` is null if it is not text. */
export interface FileText {
  readonly text: string | null;
  readonly isCut: boolean;
}

/** More is hard to read, and slow to draw. */
const MOST_SHOWN = 256 * 1024;

export async function readText(name: VersionName, path: string, signal?: AbortSignal): Promise<Answer<FileText>> {
  const response = await sendAndSee(fileAddress(name, path), signal === undefined ? {} : { signal });
  if (response === undefined || !response.ok) return toAnswer(response, LOST);
  const bytes = new Uint8Array(await response.arrayBuffer());
  const isCut = bytes.length > MOST_SHOWN;
  return { ok: true, value: { text: decode(bytes.subarray(0, MOST_SHOWN), isCut), isCut } };
}

function decode(bytes: Uint8Array, isCut: boolean): string | null {
  if (bytes.includes(0)) return null;
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes, { stream: isCut });
  } catch (error) {
    if (error instanceof TypeError) return null;
    throw error;
  }
}

/** Everything that can be changed. */
export const changes = {
  signIn: (token: string) => change<SessionAnswer>('POST', '/session', { token }),
  signOut: () => change<object>('DELETE', '/session'),
  decide: (name: VersionName, verdict: WireVerdict, reason?: string) =>
    change<object>('POST', `${versionPath(name)}/${verdict}`, reason === undefined ? {} : { reason }),
  tag: ({ version, ...skill }: VersionName, tag: string) =>
    change<object>('PUT', `${pathOf(skill)}/tags/${encodeURIComponent(tag)}`, { version }),
  untag: (skill: SkillName, tag: string) =>
    change<object>('DELETE', `${pathOf(skill)}/tags/${encodeURIComponent(tag)}`),
  /** Creates a scope, or changes its policy. */
  saveScope: (scope: string, rules: ScopeRules) => change<object>('PUT', scopePath(scope), rules),
  /** Null takes the role away. */
  setRole: (scope: string, person: string, role: WireRole | null) =>
    change<object>('PUT', `${scopePath(scope)}/members/${encodeURIComponent(person)}`, { role }),
  makeToken: (wanted: WantedToken) => change<NewTokenAnswer>('POST', '/tokens', wanted),
  revokeToken: (id: number) => change<object>('DELETE', `/tokens/${id}`),
} as const;

export interface WantedToken {
  readonly name: string;
  readonly person: string;
  readonly role: WireRole;
  /** Null: every scope. */
  readonly scopes: readonly string[] | null;
  /** Null: it does not expire. */
  readonly days: number | null;
}

/** Changes something; pages read again if it was done. */
async function change<T>(method: string, path: string, body?: object): Promise<Answer<T>> {
  const token = session.value?.changeToken;
  const response = await sendAndSee(`${BASE}${path}`, {
    method,
    headers: {
      'content-type': 'application/json',
      ...(token === undefined || token === null ? {} : { 'x-skillplane-token': token }),
    },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  const answer = await toAnswer<T>(response, LOST);
  if (answer.ok) revision.value += 1;
  return answer;
}

const LOST: WireFailure = {
  code: LOST_CODE,
  message: 'The hub cannot be reached.',
  next: { advice: 'Nothing was changed.' },
};

async function sendAndSee(address: string, init: RequestInit): Promise<Response | undefined> {
  const response = await send(address, init);
  if (response === undefined) {
    if (init.signal?.aborted !== true && isConnected.value) waitForHub();
    return undefined;
  }
  staleSince.value = response.headers.get('x-hub-stale-since') ?? undefined;
  // The token was revoked or has expired meanwhile.
  if (response.status === 401 && session.value !== undefined && !address.endsWith('/session'))
    session.value = undefined;
  return response;
}

const RETRY_MS = 2_000;

/** Greys the page until the hub answers again. */
function waitForHub(): void {
  isConnected.value = false;
  const look = async (): Promise<void> => {
    const response = await send('/healthz', {});
    if (response === undefined) {
      setTimeout(() => void look(), RETRY_MS);
      return;
    }
    isConnected.value = true;
    revision.value += 1;
  };
  setTimeout(() => void look(), RETRY_MS);
}
