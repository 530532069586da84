import { VERSION } from '../model/version.ts';
import { encodeInPieces, openColumns, type OpenColumns } from '../parse/column-file.ts';
import type { Environment } from '../platform/environment.ts';
import { cacheFile, keepNewestCaches, parseJsonSafely } from '../platform/files/cache-file.ts';
import { openOwnFile } from '../platform/files/open-file.ts';
import { writeWhole } from '../platform/files/write-file.ts';
import { isFileStamped, looksTheSame, takeNotes, type NotedLook } from '../platform/looks.ts';

/** The answer to one question, which stays the same as long as everything that was looked at for it does. */
export interface AnswerKeeper {
  /**
   * Gives the answer of an earlier process in pieces. Returns false, and gives nothing, if there is none or if anything
   * that it looked at has changed since.
   */
  replay(write: (piece: Uint8Array) => void): boolean;
  /** Begins to note what this process looks at, and what it answers. */
  record(): AnswerRecording;
}

export interface AnswerRecording extends Disposable {
  /** Adds a piece of the answer, which must not change afterwards. */
  add(piece: Uint8Array): void;
  /**
   * Keeps the answer, unless it looked at something that may change unseen, such as a file that was written a moment ago. A
   * failure to write only costs time.
   */
  keep(): void;
}

/** More are not kept: the oldest ones go. */
const MOST_ANSWERS = 8;
const MOST_BYTES = 64 * 1024 * 1024;
const KIND = 'answer';

/**
 * `question` is everything that the answer depends on apart from the machine: the program and its arguments. Only for an answer
 * that is made from files and variables alone, without the history of use, the network or the time.
 */
export function openKeptAnswer(question: readonly string[], environment: Environment): AnswerKeeper {
  const { agentHome, cwd, home, userId, variables } = environment;
  const owner = JSON.stringify([VERSION, cwd, home, agentHome, userId, ...question]);
  const file = cacheFile(agentHome, KIND, owner);
  return {
    replay(write) {
      using kept = openOwnFile(file);
      const columns = kept && openColumns(kept, owner);
      if (columns === undefined || !looksAllTheSame(columns, variables)) return false;
      for (let column = LOOK_COLUMNS; column < columns.lengths.length; column += 1) write(columns.read(column));
      return true;
    },
    record() {
      const notes = takeNotes();
      const answer: Uint8Array[] = [];
      let length = 0;
      return {
        add(piece) {
          length += piece.length;
          if (length <= MOST_BYTES) answer.push(piece);
        },
        keep() {
          const looks = notes.list();
          if (looks === undefined || length > MOST_BYTES) return;
          writeWhole(file, encodeInPieces(owner, [...packLooks(looks), ...answer]), { mode: 0o600 });
          keepNewestCaches(agentHome, KIND, MOST_ANSWERS);
        },
        [Symbol.dispose]: () => notes[Symbol.dispose](),
      };
    },
  };
}

/** The stamps of files, their paths, and all other looks. */
const LOOK_COLUMNS = 3;
const STAMP_NUMBERS = 4;
/** Does not occur in a path. */
const BETWEEN = '\0';

type FileLook = NotedLook & { readonly at: 'link-stamp'; readonly seen: object };

/** Nearly all looks are at files of skills: their stamps are numbers of one column. */
function packLooks(looks: readonly NotedLook[]): readonly NodeJS.ArrayBufferView[] {
  const files = looks.filter(isFileLook);
  const stamps = new Float64Array(STAMP_NUMBERS * files.length);
  for (const [at, { seen }] of files.entries())
    stamps.set([seen.mtimeMs, seen.ctimeMs, seen.size, seen.ino], STAMP_NUMBERS * at);
  const others = looks.filter((look) => !isFileLook(look));
  return [stamps, Buffer.from(files.map(({ path }) => path).join(BETWEEN)), Buffer.from(JSON.stringify(others))];
}

function isFileLook(look: NotedLook): look is FileLook {
  return look.at === 'link-stamp' && look.seen !== null;
}

/** Takes the few other looks first. */
function looksAllTheSame(columns: OpenColumns, variables: Environment['variables']): boolean {
  const others = parseJsonSafely(textOf(columns.read(2)));
  // This version wrote them.
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion
  if (!Array.isArray(others) || !others.every((look) => looksTheSame(look as NotedLook, variables))) return false;
  const stamps = new Float64Array(columns.read(0).slice().buffer);
  const paths = textOf(columns.read(1)).split(BETWEEN);
  for (let at = 0; at < stamps.length / STAMP_NUMBERS; at += 1)
    if (!isFileStamped(paths[at] ?? '', stamps, STAMP_NUMBERS * at)) return false;
  return true;
}

function textOf({ buffer, byteOffset, byteLength }: Uint8Array): string {
  return Buffer.from(buffer, byteOffset, byteLength).toString();
}
