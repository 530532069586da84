import { harmlessBlock } from '../disclose/harmless.ts';

/** Data for a model: the same, but no text in it hides anything. */
export function harmlessData<T>(data: T): T {
  // Every kind of data stays what it is; only characters of texts are exchanged.
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion
  return harmless(data) as T;
}

function harmless(data: unknown): unknown {
  if (typeof data === 'string') return harmlessBlock(data);
  if (Array.isArray(data)) return data.map(harmless);
  if (typeof data !== 'object' || data === null) return data;
  return Object.fromEntries(Object.entries(data).map(([key, value]) => [key, harmless(value)]));
}
