import type { JobLine, Progress, WireFailure } from '../../../src/http/wire.ts';
import type { Changes, ConsoleSession, Jobs, Reads } from './answers.ts';
import { revision } from './connection.ts';
import { fromWire, LOST_CODE, send, toAnswer, withQuery, type Answer } from './wire.ts';

/** The header that carries the token; the server names it in wire/contract.ts. */
const TOKEN_HEADER = 'x-skillplane-token';

/** Asks a question. */
export async function ask<K extends keyof Reads>(
  path: K,
  input: Reads[K]['input'] | undefined,
  signal?: AbortSignal,
): Promise<Answer<Reads[K]['output']>> {
  return toAnswer(await send(addressOf(path, input), signal === undefined ? {} : { signal }), LOST);
}

export function addressOf(path: string, input: unknown): string {
  return withQuery(`/api/${path}`, input);
}

/** Changes something. */
export async function change<K extends keyof Changes>(
  path: K,
  input: Changes[K]['input'],
): Promise<Answer<Changes[K]['output']>> {
  const answer = await toAnswer<Changes[K]['output']>(await post(path, input), LOST);
  // The page may show what was there before another program changed it.
  if (!answer.ok && answer.failure.code !== LOST_CODE) revision.value += 1;
  return answer;
}

export interface JobOptions {
  readonly signal: AbortSignal;
  readonly onProgress: (progress: Progress) => void;
}

/** Does long work; aborting the signal cancels it. */
export async function run<K extends keyof Jobs>(
  path: K,
  input: Jobs[K]['input'],
  { signal, onProgress }: JobOptions,
): Promise<Answer<Jobs[K]['output']>> {
  const response = await post(path, input, signal);
  if (signal.aborted) return { ok: false, failure: CANCELLED };
  if (response === undefined || !response.ok || response.body === null) return toAnswer(response, LOST);
  let rest = '';
  try {
    for await (const text of readTexts(response.body)) {
      const lines = `${rest}${text}`.split('\n');
      rest = lines.pop() ?? '';
      for (const line of lines) {
        const said = fromWire<JobLine>(JSON.parse(line));
        if ('progress' in said) onProgress(said.progress);
        else if ('failure' in said) return { ok: false, failure: said.failure };
        else return { ok: true, value: fromWire<Jobs[K]['output']>(said.result) };
      }
    }
  } catch (error) {
    // The server ended meanwhile.
    if (!signal.aborted && !(error instanceof TypeError)) throw error;
  }
  return { ok: false, failure: signal.aborted ? CANCELLED : LOST };
}

async function* readTexts(body: ReadableStream<Uint8Array>): AsyncGenerator<string> {
  const reader = body.getReader();
  const decoder = new TextDecoder();
  for (let part = await reader.read(); !part.done; part = await reader.read())
    yield decoder.decode(part.value, { stream: true });
}

let session: Promise<Answer<ConsoleSession>> | undefined;

/** Facts about the console, asked once. */
export function askSession(): Promise<Answer<ConsoleSession>> {
  session ??= ask('session', {});
  return session;
}

/** Asks again: a console that was started again wants another token with each change. */
export function renewSession(): Promise<Answer<ConsoleSession>> {
  session = ask('session', {});
  return session;
}

async function post(path: string, input: unknown, signal?: AbortSignal): Promise<Response | undefined> {
  const known = await askSession();
  const token = known.ok ? known.value.changeToken : '';
  return send(`/api/${path}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', [TOKEN_HEADER]: token },
    body: JSON.stringify(input),
    ...(signal === undefined ? {} : { signal }),
  });
}

const LOST: WireFailure = {
  code: LOST_CODE,
  message: 'The console cannot be reached.',
  next: { do: 'console' },
};
const CANCELLED: WireFailure = { code: 'CANCELLED', message: 'Cancelled. Nothing was changed.' };
