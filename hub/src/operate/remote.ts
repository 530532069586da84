import { createInterface } from 'node:readline';
import { Readable } from 'node:stream';

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
    const response = await fetch(`${url}/api/v1/skills/${scope}/${name}/versions?${query.toString()}`, {
      method: 'POST',
      headers: authorization(token),
      body: new Uint8Array(archive),
    });
    // The hub's own answer, in its own types.
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion
    return (await response.json()) as Result<Publication>;
  };
}

/** Reads the backup that a running hub writes, line by line. */
export async function readRemoteBackup(
  url: string,
  token: string | undefined,
  write: (line: string) => Promise<void>,
): Promise<void> {
  const response = await fetch(`${url}/api/v1/backup`, { headers: authorization(token) });
  if (!response.ok || response.body === null)
    throw new Error(`the hub answered ${response.status}: ${await response.text()}`);
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
