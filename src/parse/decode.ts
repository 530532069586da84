/** Decodes UTF-8; undefined if invalid. */
export function decodeStrictly(bytes: Uint8Array): string | undefined {
  return decodeAs('utf-8', bytes);
}

/** Decodes UTF-16 without its byte-order mark; undefined for other bytes. */
export function decodeUtf16(bytes: Uint8Array): string | undefined {
  if (!isUtf16(bytes)) return undefined;
  const [first] = bytes;
  const text = decodeAs(first === 0xfe || first === 0 ? 'utf-16be' : 'utf-16le', bytes);
  return text?.startsWith('\uFEFF') === true ? text.slice(1) : text;
}

/** Detected by its byte-order mark or by a NUL in the first two bytes. */
export function isUtf16([first, second]: Uint8Array): boolean {
  if ((first === 0xff && second === 0xfe) || (first === 0xfe && second === 0xff)) return true;
  return (first === 0 && second !== 0 && second !== undefined) || (second === 0 && first !== 0);
}

/** The same bytes, not a copy. */
export function asBuffer(bytes: Uint8Array): Buffer {
  return Buffer.isBuffer(bytes) ? bytes : Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
}

function decodeAs(encoding: string, bytes: Uint8Array): string | undefined {
  try {
    return new TextDecoder(encoding, { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch (error) {
    if (error instanceof TypeError) return undefined;
    throw error;
  }
}
