import { gunzipSync, inflateRawSync } from 'node:zlib';

export interface UnpackLimits {
  readonly entries: number;
  readonly totalBytes: number;
  readonly entryBytes: number;
  readonly ratio: number;
  readonly depth: number;
}

/** Limits: entries and bytes of all archives of a skill, bytes of one entry, unpacked per packed byte, nested archives. */
export const UNPACK_LIMITS: UnpackLimits = {
  entries: 5000,
  totalBytes: 128 * 1024 * 1024,
  entryBytes: 32 * 1024 * 1024,
  ratio: 200,
  depth: 3,
};

/** Small data may exceed the ratio. */
const ALWAYS_ALLOWED = 1024 * 1024;

/** Unpacked data, or why it could not be unpacked. */
export type Unpacked =
  | { readonly ok: true; readonly bytes: Buffer; /** Bytes after the end of the packed data. */ readonly rest: number }
  | { readonly ok: false; readonly kind: 'too-large' | 'damaged' };

export type PackFormat = 'deflate' | 'gzip' | 'stored';

/** Unpacks at most `most` bytes, and no more than the ratio allows. */
export function unpack(
  data: Buffer,
  { format, most }: { readonly format: PackFormat; readonly most: number },
): Unpacked {
  if (format === 'stored')
    return data.length > most ? { ok: false, kind: 'too-large' } : { ok: true, bytes: data, rest: 0 };
  const byRatio = Math.max(ALWAYS_ALLOWED, data.length * UNPACK_LIMITS.ratio);
  const maxOutputLength = Math.max(1, Math.min(most, byRatio));
  try {
    const unpacked: unknown = (format === 'gzip' ? gunzipSync : inflateRawSync)(data, { maxOutputLength, info: true });
    if (!isInformed(unpacked)) throw new TypeError('zlib did not say how much it read');
    return { ok: true, bytes: unpacked.buffer, rest: data.length - unpacked.engine.bytesWritten };
  } catch (error) {
    if (!(error instanceof Error) || !('code' in error)) throw error;
    return { ok: false, kind: error.code === 'ERR_BUFFER_TOO_LARGE' ? 'too-large' : 'damaged' };
  }
}

/** The result with `info: true`, which the types do not describe. */
function isInformed(
  value: unknown,
): value is { readonly buffer: Buffer; readonly engine: { readonly bytesWritten: number } } {
  return typeof value === 'object' && value !== null && 'buffer' in value && 'engine' in value;
}
