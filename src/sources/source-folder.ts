import type { FolderEntry, RefusedEntry } from '../model/folder.ts';
import type { FileStamp } from '../model/folder.ts';
import { explainThrown, isPlainObject } from '../model/foreign-values.ts';
import {
  MAX_FOLDER_DEPTH,
  MAX_RESOURCE_BYTES,
  MAX_SKILL_FILE_BYTES,
  MAX_SKILL_FILES,
  MAX_SOURCE_SKILL_BYTES,
} from '../model/limits.ts';
import { compareText } from '../model/order.ts';
import { fail, type Failure, type Outcome } from '../model/outcome.ts';
import { findPathFault } from '../model/path-fault.ts';
import type { ListedFile, SourceSkill, SourceFolder, SkillSource } from '../model/skill-source.ts';
import { sha256Of } from '../parse/digest.ts';
import { findSkillFile } from '../parse/skill-file.ts';
import { renderSkillText } from '../parse/yaml/render-frontmatter.ts';
import { yieldToEventLoop } from '../platform/clock.ts';
import { withDeadline, type Deadline } from '../platform/deadline.ts';

/** A skill of a source with the files that were read so far. */
export interface StoredSkill extends SourceFolder {
  /** The name of its SKILL.md; undefined if it has none. */
  readonly fileName: string | undefined;
  /** Its SKILL.md, or one with the listed fields before the files are read. */
  readManifest(): Outcome<{ readonly bytes: Uint8Array }>;
  /** Identifies the version of the skill for caches, as the stamp of a file does. */
  readonly version: FileStamp;
  /** Everything that the source says of the skill. */
  readonly listing: string;
  /** Was nothing that the source lists left unread? */
  readonly isWhole: boolean;
  /** Can the same listing mean only the same files? */
  readonly isPinned: boolean;
  /** How many bytes are in memory. */
  readonly heldBytes: number;
  /** Files that the source lists and that are left out, with the reasons. */
  readonly refused: readonly RefusedEntry[];
}

export interface StoredPlace {
  readonly source: SkillSource;
  readonly dir: string;
  readonly timeoutMs: number;
  /** Does the source still list the skill? */
  readonly isListed: () => boolean;
}

/** A skill as its source lists it. Nothing is read before `fetch`. */
export function openStoredSkill(listed: SourceSkill, place: StoredPlace): StoredSkill {
  const { id, stamp, frontmatter } = listed;
  const { dir, isListed } = place;
  const { files, refused: faulty } = readListing(listed.files);
  const fileName = findSkillFile(files.map(({ path }) => path));
  const listing = JSON.stringify([id, stamp, frontmatter, files]);
  let read: ReadFiles | undefined;
  let reading: Promise<Outcome> | undefined;
  const refused = (): readonly RefusedEntry[] => [
    ...faulty,
    ...[...(read?.unread ?? [])].map(([path, why]) => {
      return { path, kind: 'unreadable' as const, reason: `is left out: ${why}` };
    }),
  ];

  const readAll = async (): Promise<Outcome> => {
    const done = await readFiles(id, files, place);
    const manifest = fileName === undefined ? undefined : done.contents.get(fileName);
    const why = fileName === undefined ? undefined : done.unread.get(fileName);
    if (frontmatter !== undefined && why !== undefined)
      return fail('STORE_FAILED', `${dir}: its ${fileName} is not read: ${why}`);
    if (frontmatter !== undefined && manifest !== undefined && !(await hasFields(manifest, frontmatter)))
      return fail('STORE_FAILED', `${dir}: its ${fileName} has other fields than its source lists`);
    read = done;
    return { ok: true };
  };

  return {
    dir,
    fileName,
    listing,
    get isWhole() {
      return read === undefined || read.unread.size === 0;
    },
    state: () => (isListed() ? 'directory' : 'missing'),
    names: () => [...new Set(files.map(({ path }) => path.split('/', 1)[0] ?? path))].sort(compareText),
    files({ leaveOut = NOTHING } = {}) {
      const isLeftOut = ({ path }: { readonly path: string }): boolean =>
        path.split('/').some((part) => leaveOut.has(part));
      const present = files.filter(({ path }) => read?.contents.has(path) ?? true);
      const entries = present.map(({ path, size = 0, executable = false }): FolderEntry => {
        return { path, executable, size: read?.contents.get(path)?.length ?? size };
      });
      const left = entries.filter(isLeftOut).map(({ path }) => ({ path, ...LEFT_OUT }));
      return { files: entries.filter((entry) => !isLeftOut(entry)), refused: [...refused(), ...left] };
    },
    read(path, maxBytes) {
      if (read === undefined) return NOT_FETCHED;
      const fault = findPathFault(path);
      if (fault !== undefined) return fail('PATH_REFUSED', `the path ${fault}`);
      const bytes = read.contents.get(path);
      if (bytes !== undefined)
        return bytes.length > maxBytes
          ? fail('PATH_REFUSED', `it is larger than ${maxBytes} bytes`)
          : { ok: true, bytes };
      const why = read.unread.get(path);
      return why === undefined ? fail('RESOURCE_NOT_FOUND', 'File not found') : fail('PATH_REFUSED', why);
    },
    readManifest() {
      if (read === undefined && frontmatter !== undefined) return renderListed(frontmatter);
      return fileName === undefined
        ? fail('RESOURCE_NOT_FOUND', 'File not found')
        : this.read(fileName, MAX_SKILL_FILE_BYTES);
    },
    fetch: () =>
      (reading ??= readAll().then((outcome) => {
        // Only a success is kept: the source may answer the next time.
        if (!outcome.ok) reading = undefined;
        return outcome;
      })),
    get isFetched() {
      return read !== undefined;
    },
    get heldBytes() {
      return read?.size ?? 0;
    },
    get refused() {
      return refused();
    },
    isPinned: stamp !== undefined || files.every(({ digest }) => digest !== undefined),
    stamp: () => read?.digest ?? listing,
    get version() {
      // A skill whose files are read when it is used keeps its version: nothing else of the catalog would change.
      return toStamp(sha256Of(frontmatter === undefined ? `${listing}${read?.digest ?? ''}` : listing));
    },
  };
}

const NOTHING: ReadonlySet<string> = new Set();
const LEFT_OUT = { kind: 'left-out', reason: 'is left out' } as const;
const NOT_FETCHED = fail('STORE_FAILED', 'its files have not been read from their source yet', {
  advice: 'Load the skill first: `await skills.load(name)`.',
});

/** A hash in place of the times of a file: it is equal for equal content only. */
function toStamp(digest: string): FileStamp {
  const part = (at: number): number =>
    Number.parseInt(digest.slice('sha256:'.length + at, 'sha256:'.length + at + 12), 16);
  return { mtimeMs: part(0), ctimeMs: part(12), size: part(24), ino: part(36) };
}

interface Listing {
  readonly files: readonly ListedFile[];
  readonly refused: readonly RefusedEntry[];
}

const MAX_PATH_LENGTH = 1_024;

/** The listed files by path. The type is only a promise: a source may list anything. */
function readListing(given: readonly unknown[]): Listing {
  const files = new Map<string, ListedFile>();
  const refused: RefusedEntry[] = [];
  for (const [at, one] of given.entries()) {
    if (at === MAX_SKILL_FILES) {
      const reason = `and what follows is left out: there are more than ${MAX_SKILL_FILES} files`;
      refused.push({ path: '', kind: 'too-many', reason });
      break;
    }
    const file = typeof one === 'string' ? { path: one } : one;
    const fault = findFileFault(file);
    if (fault !== undefined) refused.push({ path: pathOf(file), ...fault });
    else if (isListedFile(file)) {
      if (files.has(file.path)) refused.push({ path: file.path, kind: 'name', reason: 'is listed twice' });
      else files.set(file.path, file);
    }
  }
  return { files: [...files.values()].sort((a, b) => compareText(a.path, b.path)), refused };
}

function findFileFault(file: unknown): Omit<RefusedEntry, 'path'> | undefined {
  if (!isPlainObject(file) || typeof file['path'] !== 'string') return { kind: 'name', reason: 'is no path' };
  const { path, digest, size } = file;
  const fault = path.length > MAX_PATH_LENGTH ? `is longer than ${MAX_PATH_LENGTH} characters` : findPathFault(path);
  if (fault !== undefined) return { kind: 'name', reason: fault };
  if (path.split('/').length > MAX_FOLDER_DEPTH)
    return { kind: 'too-deep', reason: `is nested deeper than ${MAX_FOLDER_DEPTH} levels` };
  if (size !== undefined && typeof size !== 'number')
    return { kind: 'unreadable', reason: 'has a size that is no number' };
  if (digest !== undefined && !(typeof digest === 'string' && /^sha256:[0-9a-f]{64}$/.test(digest)))
    return { kind: 'unreadable', reason: 'has a digest that is not sha256: and 64 hex digits' };
  return undefined;
}

function isListedFile(file: unknown): file is ListedFile {
  return isPlainObject(file) && typeof file['path'] === 'string';
}

function pathOf(file: unknown): string {
  const path = isPlainObject(file) ? file['path'] : undefined;
  return typeof path === 'string' ? path.slice(0, MAX_PATH_LENGTH) : '';
}

interface ReadFiles {
  readonly contents: ReadonlyMap<string, Buffer>;
  /** Why others could not be read. */
  readonly unread: ReadonlyMap<string, string>;
  readonly size: number;
  readonly digest: string;
}

/** Reads the files one after the other. After a call that took too long, the others are not asked for. */
async function readFiles(id: string, files: readonly ListedFile[], place: StoredPlace): Promise<ReadFiles> {
  const contents = new Map<string, Buffer>();
  const unread = new Map<string, string>();
  const lines: string[] = [];
  let size = 0;
  let hung: string | undefined;
  for (const file of files) {
    const { path, executable = false } = file;
    const left = MAX_SOURCE_SKILL_BYTES - size;
    const read =
      hung === undefined ? await readFile(id, file, left, place) : { ...fail('STORE_FAILED', hung), isLate: true };
    if (read.ok) {
      contents.set(path, read.bytes);
      size += read.bytes.length;
      lines.push(JSON.stringify([path, executable, sha256Of(read.bytes)]));
    } else {
      if (read.isLate === true) hung = 'another file of the skill took too long';
      unread.set(path, read.message);
      lines.push(JSON.stringify([path, read.message]));
    }
  }
  return { contents, unread, size, digest: sha256Of(lines.join('\n')) };
}

async function readFile(
  id: string,
  { path, digest, size }: ListedFile,
  left: number,
  { source, timeoutMs }: StoredPlace,
): Promise<Outcome<{ readonly bytes: Buffer }, Failure & { readonly isLate?: boolean }>> {
  const maxBytes = Math.min(left, /^skill\.md$/i.test(path) ? MAX_SKILL_FILE_BYTES : MAX_RESOURCE_BYTES);
  const read = await askSource({ who: 'reading it', timeoutMs }, async (signal) =>
    collect(await source.read(id, path, signal), maxBytes, signal),
  );
  if (!read.ok) return read;
  const { value } = read;
  if (!value.ok) return value;
  if (size !== undefined && value.bytes.length !== size)
    return fail('PATH_REFUSED', 'it does not have the size that its source lists');
  if (digest !== undefined && sha256Of(value.bytes) !== digest)
    return fail('PATH_REFUSED', 'its bytes are not those that its source lists (digest)');
  return value;
}

/** Asks a source for something, within a time. Whatever it throws is a failure. */
export async function askSource<T>(
  { who, timeoutMs }: Pick<Deadline, 'who' | 'timeoutMs'>,
  ask: (signal: AbortSignal) => T | Promise<T>,
): Promise<Outcome<{ readonly value: T }, Failure & { readonly isLate: boolean }>> {
  let isLate = false;
  const asked = await withDeadline<{ readonly value: T }>({ who, timeoutMs, code: 'STORE_FAILED' }, async (signal) => {
    signal.addEventListener('abort', () => (isLate = true), { once: true });
    try {
      return { ok: true, value: await ask(signal) };
    } catch (thrown) {
      return fail('STORE_FAILED', explainThrown(thrown));
    }
  });
  return asked.ok ? asked : { ...asked, isLate };
}

/** Other work, such as the end of the time, may go on after so many parts. */
const YIELD_EVERY = 256;

/** The bytes of a content, copied: what is judged stays as it is. */
async function collect(
  content: unknown,
  maxBytes: number,
  signal: AbortSignal,
): Promise<Outcome<{ readonly bytes: Buffer }>> {
  const tooLarge = fail('PATH_REFUSED', `it is larger than ${maxBytes} bytes`);
  const whole = toBytes(content, maxBytes);
  if (whole !== undefined) return whole.length > maxBytes ? tooLarge : { ok: true, bytes: whole };
  if (!isStream(content)) return fail('STORE_FAILED', 'its source gave neither text nor bytes');
  const parts: Buffer[] = [];
  let [size, count] = [0, 0];
  for await (const part of content) {
    const bytes = toBytes(part, maxBytes);
    if (bytes === undefined) return fail('STORE_FAILED', 'its stream gave neither text nor bytes');
    size += bytes.length;
    if (size > maxBytes) return tooLarge;
    if (bytes.length > 0) parts.push(bytes);
    count += 1;
    if (count % YIELD_EVERY === 0) await yieldToEventLoop();
    signal.throwIfAborted();
  }
  return { ok: true, bytes: Buffer.concat(parts) };
}

/** Of a larger content only one byte more than allowed is copied. */
function toBytes(content: unknown, maxBytes: number): Buffer | undefined {
  if (typeof content === 'string') return Buffer.from(content.slice(0, maxBytes + 1));
  return content instanceof Uint8Array ? Buffer.from(content.subarray(0, maxBytes + 1)) : undefined;
}

function isStream(content: unknown): content is AsyncIterable<unknown> {
  return typeof content === 'object' && content !== null && Symbol.asyncIterator in content;
}

function renderListed(frontmatter: Readonly<Record<string, unknown>>): Outcome<{ readonly bytes: Uint8Array }> {
  try {
    return { ok: true, bytes: Buffer.from(renderSkillText(frontmatter, '')) };
  } catch (error) {
    if (!(error instanceof TypeError)) throw error;
    return fail('STORE_FAILED', error.message);
  }
}

/** Has a SKILL.md exactly these fields? Another reading of it could make more of the skill than its source says. */
async function hasFields(manifest: Buffer, listed: Readonly<Record<string, unknown>>): Promise<boolean> {
  // Lazy: the strict reader is only needed by sources that know the fields.
  const [{ readTypedFrontmatter }, { isDeepStrictEqual }] = await Promise.all([
    import('../parse/strict/strict-fields.ts'),
    import('node:util'),
  ]);
  const read = readTypedFrontmatter(manifest);
  return read.ok && isDeepStrictEqual(JSON.parse(JSON.stringify(read.fields)), JSON.parse(JSON.stringify(listed)));
}
