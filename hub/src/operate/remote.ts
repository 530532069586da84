import { createInterface } from 'node:readline';
import { Readable } from 'node:stream';

import { z } from 'zod';

import type { Publication } from '../publishing/publish-version.ts';
import type { Result } from '../refusal.ts';
import type { Publisher } from './import-skills.ts';

/** Publishes to a hub over HTTP. */
export function publishRemotely(url: string, token: string | undefined): Publisher {
  return async ({ scope, name, archive, version, tag }) => {
    const query = new URLSearchParams({
      ...(version === undefined ? {} : { version }),
      ...(tag === undefined ? {} : { tag }),
    });
    const response = await ask(`${url}/api/v1/skills/${scope}/${name}/versions?${query.toString()}`, {
      method: 'POST',
      headers: authorization(token),
      body: new Uint8Array(archive),
    });
    const answer = parseJson(await response.text());
    if (!Answer.safeParse(answer).success) throw new Error(`the address answered ${response.status}, and not as a hub`);
    // The hub's own answer, in its own types.
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion
    return answer as Result<Publication>;
  };
}

/** Reads the backup that a running hub writes, line by line. */
export async function readRemoteBackup(
  url: string,
  token: string | undefined,
  write: (line: string) => Promise<void>,
): Promise<void> {
  const response = await ask(`${url}/api/v1/backup`, { headers: authorization(token) });
  if (!response.ok || response.body === null) throw new Error(describeRefusal(await response.text(), response.status));
  let last = '';
  for await (const line of createInterface({ input: Readable.fromWeb(response.body), crlfDelay: Infinity })) {
    await write(`${line}\n`);
    last = line;
  }
  if (!last.startsWith('{"end":')) throw new Error('the backup was cut off; run it again');
}

function authorization(token: string | undefined): Record<string, string> {
  return token === undefined ? {} : { authorization: `Bearer ${token}` };
}

/** Asks, and says what could not be reached and why. */
async function ask(url: string, init: RequestInit): Promise<Response> {
  try {
    return await fetch(url, init);
  } catch (error) {
    if (!(error instanceof TypeError)) throw error;
    const reason = error.cause instanceof Error ? error.cause.message : error.message;
    throw new Error(`cannot reach a hub at ${URL.canParse(url) ? new URL(url).origin : url}: ${reason}`, {
      cause: error,
    });
  }
}

function describeRefusal(text: string, status: number): string {
  const refusal = Refusal.safeParse(parseJson(text));
  if (!refusal.success) return `the address answered ${status}, and not as a hub`;
  const { message, advice } = refusal.data;
  return advice === undefined ? message : `${message}. ${advice}`;
}

const Answer = z.object({ ok: z.boolean() });
const Refusal = z.object({ message: z.string(), advice: z.string().optional() });

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}
