/** Bytes of a file. The last piece is undefined if the rest cannot be read. */
type Pieces = Iterable<Buffer | undefined> | AsyncIterable<Buffer | undefined>;

/** Complete lines that follow each other. */
export interface Lines {
  /** Valid until the next ones are asked for. Not decoded, since most lines are of no interest. */
  readonly text: Buffer;
  /** How many bytes of the file are done with: those of the lines, and of a line that is skipped. */
  readonly bytes: number;
  /** Lines that are longer than `MAX_LINE_BYTES`, and are skipped. */
  readonly tooLong: number;
}

/** Transcripts hold whole files and pictures in one line; a longer one is nothing we look for. */
const MAX_LINE_BYTES = 33_554_432;
const NEWLINE = 10;
const NO_LINES = Buffer.alloc(0);

/** The complete lines of a file. An unfinished last line is left out, since its program may still write it. */
export async function* readLines(pieces: Pieces): AsyncGenerator<Lines | undefined> {
  let memory = Buffer.alloc(0);
  let length = 0;
  let isSkipping = false;
  for await (const piece of pieces) {
    if (piece === undefined) {
      yield undefined;
      return;
    }
    if (length + piece.length > memory.length) memory = Buffer.concat([memory], 2 * (length + piece.length));
    piece.copy(memory, length);
    // The rest of the pieces before has no newline.
    const last = piece.lastIndexOf(NEWLINE);
    const end = last < 0 ? 0 : length + last + 1;
    length += piece.length;
    if (end > 0) {
      const start = isSkipping ? memory.indexOf(NEWLINE) + 1 : 0;
      yield { text: memory.subarray(start, end), bytes: end, tooLong: 0 };
      memory.copyWithin(0, end, length);
      length -= end;
      isSkipping = false;
    } else if (isSkipping || length > MAX_LINE_BYTES) {
      yield { text: NO_LINES, bytes: length, tooLong: isSkipping ? 0 : 1 };
      length = 0;
      isSkipping = true;
    }
  }
}
