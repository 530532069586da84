import { decodeStrictly } from '../parse/decode.ts';

/** File content for JSON: text as is, everything else as base64. Both restore the same bytes. */
export type DescribedContent = { readonly contentType: string; readonly size: number } & (
  | { readonly text: string; readonly base64?: never }
  | { readonly base64: string; readonly text?: never }
);

/** A file is text if it is valid UTF-8 without NUL, whatever its name. The type of other files follows their ending. */
export function describeContent(path: string, bytes: Buffer): DescribedContent {
  const ending = /\.([^.]+)$/.exec(path)?.[1]?.toLowerCase() ?? '';
  const size = bytes.length;
  const text = bytes.includes(0) ? undefined : decodeStrictly(bytes);
  if (text !== undefined) return { contentType: ending === 'md' ? 'text/markdown' : 'text/plain', size, text };
  return {
    contentType: BINARY_TYPES.get(ending) ?? 'application/octet-stream',
    size,
    base64: bytes.toString('base64'),
  };
}

const OFFICE = 'application/vnd.openxmlformats-officedocument';

const BINARY_TYPES: ReadonlyMap<string, string> = new Map([
  ['avif', 'image/avif'],
  ['bmp', 'image/bmp'],
  ['docx', `${OFFICE}.wordprocessingml.document`],
  ['gif', 'image/gif'],
  ['gz', 'application/gzip'],
  ['ico', 'image/x-icon'],
  ['jpeg', 'image/jpeg'],
  ['jpg', 'image/jpeg'],
  ['mp3', 'audio/mpeg'],
  ['mp4', 'video/mp4'],
  ['otf', 'font/otf'],
  ['pdf', 'application/pdf'],
  ['png', 'image/png'],
  ['pptx', `${OFFICE}.presentationml.presentation`],
  ['tar', 'application/x-tar'],
  ['ttf', 'font/ttf'],
  ['wasm', 'application/wasm'],
  ['wav', 'audio/wav'],
  ['webm', 'video/webm'],
  ['webp', 'image/webp'],
  ['woff', 'font/woff'],
  ['woff2', 'font/woff2'],
  ['xlsx', `${OFFICE}.spreadsheetml.sheet`],
  ['zip', 'application/zip'],
]);
