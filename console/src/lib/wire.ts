import type { WireFailure } from '../../../src/http/wire.ts';

/** The answer of a server, or why there is none. */
export type Answer<T> =
  | { readonly ok: true; readonly value: T }
  | { readonly ok: false; readonly failure: WireFailure };

/** The code of the failure to reach the server at all. */
export const LOST_CODE = 'LOST';

/** Undefined if the server cannot be reached, or the request was given up. */
export async function send(url: string, init: RequestInit): Promise<Response | undefined> {
  try {
    return await fetch(url, init);
  } catch (error) {
    if (error instanceof TypeError || (error instanceof DOMException && error.name === 'AbortError')) return undefined;
    throw error;
  }
}

/** A failure as a server sends it: the console sends steps, and a hub only sentences. */
type Said = WireFailure & { readonly advice?: string };

/** Reads an answer; `lost` is the failure of a server that cannot be reached. */
export async function toAnswer<T>(response: Response | undefined, lost: WireFailure): Promise<Answer<T>> {
  if (response === undefined) return { ok: false, failure: lost };
  const said: unknown = await response.json();
  // The engine's own failures are values, too.
  const isFailure = !response.ok || !fromWire<{ readonly ok: boolean }>(said).ok;
  if (!isFailure) return { ok: true, value: fromWire<T>(said) };
  const { code, message, next, advice } = fromWire<Said>(said);
  return { ok: false, failure: { code, message, next: next ?? (advice === undefined ? undefined : { advice }) } };
}

/** An address with those parameters that have a value. */
export function withQuery(path: string, input: unknown): string {
  const entries = typeof input === 'object' && input !== null ? Object.entries(input) : [];
  const given = entries.filter(([, value]) => value !== undefined && value !== '');
  const query = new URLSearchParams(given.map(([key, value]) => [key, String(value)])).toString();
  return `${path}${query === '' ? '' : `?${query}`}`;
}

/** The server is of the same version and answers by the contract that this code is compiled with. */
// oxlint-disable-next-line typescript/no-unnecessary-type-parameters -- callers name the type of the contract
export function fromWire<T>(said: unknown): T {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the one place where answers get their types
  return said as T;
}
