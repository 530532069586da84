import type { FileStamp } from '../model/skill.ts';
import { listDirectory, type EntryKind, type Listing } from '../platform/files/files.ts';

/** The entries of a root, sorted. Nearly all are directories. */
export interface RootListing {
  readonly names: readonly string[];
  /** The kinds of those that are no directories. */
  readonly others: ReadonlyMap<string, EntryKind>;
}

export type ListedRoot = ({ readonly state: 'listed' } & RootListing) | Exclude<Listing, { state: 'listed' }>;

export function listRoot(path: string): ListedRoot {
  const listing = listDirectory(path);
  if (listing.state !== 'listed') return listing;
  const others = listing.entries.filter(({ kind }) => kind !== 'directory');
  return {
    state: 'listed',
    names: listing.entries.map(({ name }) => name),
    others: new Map(others.map(({ name, kind }) => [name, kind])),
  };
}

/** A listing as the cache stores it: the folder's stamp, and its entries as one text. */
export interface PackedListing {
  readonly stamp: Float64Array;
  readonly entries: Uint8Array;
}

/** Without a stamp that equals another. */
export const NO_LISTING: PackedListing = { stamp: new Float64Array(), entries: new Uint8Array() };

/** Neither occurs in the name of a file. */
const BETWEEN = '\0';
const BEFORE_KIND = '/';

export function packListing({ names, others }: RootListing, stamp: FileStamp): PackedListing {
  const entries = names.map((name) => (others.has(name) ? `${name}${BEFORE_KIND}${others.get(name)}` : name));
  return { stamp: Float64Array.of(...numbersOf(stamp)), entries: Buffer.from(entries.join(BETWEEN)) };
}

export function unpackListing({ entries }: PackedListing): RootListing {
  const text = Buffer.from(entries.buffer, entries.byteOffset, entries.byteLength).toString();
  const names = text === '' ? [] : text.split(BETWEEN);
  const others = new Map<string, EntryKind>();
  if (!text.includes(BEFORE_KIND)) return { names, others };
  for (const [at, entry] of names.entries()) {
    const end = entry.indexOf(BEFORE_KIND);
    if (end === -1) continue;
    names[at] = entry.slice(0, end);
    others.set(entry.slice(0, end), toKind(entry.slice(end + 1)));
  }
  return { names, others };
}

export function isListedAt({ stamp }: PackedListing, folder: FileStamp): boolean {
  return numbersOf(folder).every((number, at) => stamp[at] === number);
}

function numbersOf({ mtimeMs, ctimeMs, size, ino }: FileStamp): readonly number[] {
  return [mtimeMs, ctimeMs, size, ino];
}

function toKind(word: string): EntryKind {
  return word === 'link' || word === 'file' ? word : 'other';
}
