import { parseJson } from '../../model/json.ts';
import { cacheFile, removeOldCaches } from '../files/cache-file.ts';
import { readOwnText } from '../files/files.ts';
import { replaceFile } from '../files/replace-file.ts';

/** An answer that a server gave, with the ETag by which it can be asked whether it changed. */
export interface KeptAnswer {
  readonly etag: string;
  /** The text that was answered, or its digest. */
  readonly content: string;
}

export interface Etags {
  find(url: string): KeptAnswer | undefined;
  /** A failed write means that the next request asks for everything again. */
  keep(url: string, answer: KeptAnswer): void;
}

/** Keeps answers of a kind in the user's caches; those not written for a month are removed. */
export function openEtags(agentHome: string, kind: string): Etags {
  const fileOf = (url: string): string => cacheFile(agentHome, `web-${kind}`, url);
  return {
    find(url) {
      const read = readOwnText(fileOf(url));
      const kept: unknown = read.ok && read.text !== undefined ? parseJson(read.text) : undefined;
      return isKept(kept) && kept.url === url ? kept : undefined;
    },
    keep(url, { etag, content }) {
      removeOldCaches(agentHome, `web-${kind}`);
      replaceFile(fileOf(url), JSON.stringify({ url, etag, content }), { isPrivate: true });
    },
  };
}

function isKept(value: unknown): value is KeptAnswer & { readonly url: string } {
  if (typeof value !== 'object' || value === null) return false;
  const fields: Partial<Record<'url' | 'etag' | 'content', unknown>> = value;
  return [fields.url, fields.etag, fields.content].every((field) => typeof field === 'string');
}
