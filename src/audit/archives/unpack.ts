import { gunzipSync, inflateRawSync } from 'node:zlib';

export interface UnpackLimits {
  readonly entries: number;
  readonly totalBytes: number;
  readonly entryBytes: number;
  readonly ratio: number;
  readonly depth: number;
}

/** What is unpacked at most: entries and bytes of all archives of a skill, bytes of one entry, and for each packed byte. */
export const UNPACK_LIMITS: UnpackLimits = {
  entries: 5000,
  totalBytes: 128 * 1024 * 1024,
  entryBytes: 32 * 1024 * 1024,
  ratio: 200,
  depth: 3,
};

/** Little data may unpack to many times its size. */
const ALWAYS_ALLOWED = 1024 * 1024;

/** What packed data holds, or why that is not known. */
export type Unpacked =
  | { readonly ok: true; readonly bytes: Buffer; /** How much of the data was not part of it. */ readonly rest: number }
  | { readonly ok: false; readonly reason: 'too-large' | 'damaged' };

export type PackFormat = 'deflate' | 'gzip' | 'stored';

/** Unpacks at most `most` bytes, and no more than the ratio allows. */
export function unpack(
  data: Buffer,
  { format, most }: { readonly format: PackFormat; readonly most: number },
): Unpacked {
  if (format === 'stored')
    return data.length > most ? { ok: false, reason: 'too-large' } : { ok: true, bytes: data, rest: 0 };
  const byRatio = Math.max(ALWAYS_ALLOWED, data.length * UNPACK_LIMITS.ratio);
  const maxOutputLength = Math.max(1, Math.min(most, byRatio));
  try {
    const unpacked: unknown = (format === 'gzip' ? gunzipSync : inflateRawSync)(data, { maxOutputLength, info: true });
    if (!isInformed(unpacked)) throw new TypeError('zlib did not say how much it read');
    return { ok: true, bytes: unpacked.buffer, rest: data.length - unpacked.engine.bytesWritten };
  } catch (error) {
    if (!(error instanceof Error) || !('code' in error)) throw error;
    return { ok: false, reason: error.code === 'ERR_BUFFER_TOO_LARGE' ? 'too-large' : 'damaged' };
  }
}

/** What `info` makes of an answer; the types do not know it. */
function isInformed(
  value: unknown,
): value is { readonly buffer: Buffer; readonly engine: { readonly bytesWritten: number } } {
  return typeof value === 'object' && value !== null && 'buffer' in value && 'engine' in value;
}
