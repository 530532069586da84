import { readdirSync, readFileSync } from 'node:fs';
import { extname, join } from 'node:path';
import { gzipSync } from 'node:zlib';

import { packageFile } from '../platform/package-file.ts';

/** The files of the built page, by their paths on the server. */
export type PageFiles = ReadonlyMap<string, PageFile>;

export interface PageFile {
  readonly type: string;
  readonly bytes: Buffer;
  readonly zipped: Buffer;
  /** Its name changes with its content. */
  readonly isNamedByContent: boolean;
}

const TYPES: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml',
};

/** No code of others, no other server, no frame. Nothing that a skill says can make the page ask for anything. */
export const PAGE_HEADERS: Readonly<Record<string, string>> = {
  'content-security-policy':
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
  'referrer-policy': 'no-referrer',
  'x-content-type-options': 'nosniff',
};

/** Reads the whole page once: it is small, and no path of a request ever reaches the disk. */
export function readPageFiles(dir: string = packageFile('dist/console')): PageFiles {
  const names = readdirSync(dir, { recursive: true, encoding: 'utf8' }).map((name) => name.replaceAll('\\', '/'));
  return new Map(
    names
      .filter((name) => extname(name) in TYPES)
      .map((name) => {
        const bytes = readFileSync(join(dir, name));
        const type = TYPES[extname(name)] ?? '';
        return [`/${name}`, { type, bytes, zipped: gzipSync(bytes), isNamedByContent: name.startsWith('assets/') }];
      }),
  );
}

/** The file at a path; every path without an ending is a page, and all pages are one file. */
export function servePage(files: PageFiles, request: Request): Response | undefined {
  const { pathname } = new URL(request.url);
  const file = files.get(extname(pathname) === '' ? '/index.html' : pathname);
  if (file === undefined) return undefined;
  const isZipped = /\bgzip\b/.test(request.headers.get('accept-encoding') ?? '');
  const headers = {
    'content-type': file.type,
    'cache-control': file.isNamedByContent ? 'max-age=31536000, immutable' : 'no-cache',
    vary: 'accept-encoding',
    ...(isZipped ? { 'content-encoding': 'gzip' } : {}),
  };
  const body = isZipped ? file.zipped : file.bytes;
  return new Response(request.method === 'HEAD' ? null : new Uint8Array(body), { headers });
}
