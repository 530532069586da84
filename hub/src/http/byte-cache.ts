/** Bytes by digest, the least recently used dropped first. */
export interface ByteCache {
  get(digest: string): Uint8Array | undefined;
  put(digest: string, bytes: Uint8Array): void;
}

export function openByteCache(maxBytes: number): ByteCache {
  const kept = new Map<string, Uint8Array>();
  let total = 0;
  return {
    get(digest) {
      const bytes = kept.get(digest);
      if (bytes === undefined) return undefined;
      kept.delete(digest);
      kept.set(digest, bytes);
      return bytes;
    },
    put(digest, bytes) {
      if (kept.has(digest) || bytes.length > maxBytes / 4) return;
      kept.set(digest, bytes);
      total += bytes.length;
      for (const [oldest, { length }] of kept) {
        if (total <= maxBytes) return;
        kept.delete(oldest);
        total -= length;
      }
    },
  };
}
