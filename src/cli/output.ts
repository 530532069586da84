import { encodeJson, encodeText } from './encode.ts';

/** Codes that switch a style on and off. Six lines here start a command faster than loading `node:util` does. */
const STYLES = {
  bold: [1, 22],
  dim: [2, 22],
  red: [31, 39],
  green: [32, 39],
  yellow: [33, 39],
  cyan: [36, 39],
} as const;

export type Style = keyof typeof STYLES;

/** A piece of a line: plain text, or text with a style. Either may come out of a skill; both are encoded. */
export type Piece = string | { readonly text: string; readonly style: Style };

/** Where a command's words go. Everything passes the encoder; colours appear on a terminal only. */
export interface Output {
  /** The answer. */
  line(...pieces: readonly Piece[]): void;
  /** Exactly one JSON document. */
  json(value: unknown): void;
  /** One of several JSON documents, on a line of its own. */
  jsonLine(value: unknown): void;
  /** Text that is an answer as it stands, safe already. */
  raw(text: string): void;
  /** Everything that is not the answer. */
  note(...pieces: readonly Piece[]): void;
  /** Shows what is being done, on a terminal only, until the next output of any kind; an empty text clears it. */
  status(text: string): void;
  /** Columns of the terminal, or of the one that the answer may be shown on later. */
  readonly columns: number;
  /** Has the reader of the answers gone? */
  isClosed(): boolean;
}

export interface Streams {
  readonly stdout: NodeJS.WriteStream;
  readonly stderr: NodeJS.WriteStream;
  readonly env: Readonly<Record<string, string | undefined>>;
}

const DEFAULT_COLUMNS = 80;
const CLEAR_LINE = '\r\u001B[K';

export function openOutput({ stdout, stderr, env }: Streams): Output {
  let hasStatus = false;
  let isClosed = false;
  // Node never calls it destroyed: it takes itself for the owner of stdout.
  stdout.once('error', () => {
    isClosed = true;
  });
  const clearStatus = (): void => {
    if (hasStatus) stderr.write(CLEAR_LINE);
    hasStatus = false;
  };
  const write = (stream: NodeJS.WriteStream, text: string): void => {
    clearStatus();
    stream.write(`${text}\n`);
  };
  const print = (stream: NodeJS.WriteStream, pieces: readonly Piece[]): void => {
    const isColoured = stream.isTTY && !env['NO_COLOR'] && env['TERM'] !== 'dumb';
    write(stream, pieces.map((piece) => renderPiece(piece, isColoured)).join(''));
  };
  return {
    line: (...pieces) => print(stdout, pieces),
    note: (...pieces) => print(stderr, pieces),
    json: (value) => write(stdout, encodeJson(value)),
    jsonLine: (value) => write(stdout, encodeJson(value, { isOneLine: true })),
    raw: (text) => write(stdout, text),
    status(text) {
      if (!stderr.isTTY || env['TERM'] === 'dumb') return;
      clearStatus();
      if (text === '') return;
      stderr.write(encodeText(text).slice(0, (stderr.columns || DEFAULT_COLUMNS) - 1));
      hasStatus = true;
    },
    columns: (stdout.isTTY ? stdout.columns : Number(env['COLUMNS'])) || DEFAULT_COLUMNS,
    isClosed: () => isClosed,
  };
}

function renderPiece(piece: Piece, isColoured: boolean): string {
  if (typeof piece === 'string') return encodeText(piece);
  const text = encodeText(piece.text);
  const [on, off] = STYLES[piece.style];
  return isColoured ? `\u001B[${on}m${text}\u001B[${off}m` : text;
}
