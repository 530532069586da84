import { displayWidth } from '../../model/display-width.ts';
import { encodeJson, encodeText } from './encode.ts';
import type { StandardStream } from './standard-stream.ts';
import { findHead, wrap } from './wrap.ts';

/** Codes that switch a style on and off. Loading `node:util` for them would slow down every start. */
const STYLES = {
  bold: [1, 22],
  dim: [2, 22],
  red: [31, 39],
  green: [32, 39],
  yellow: [33, 39],
  cyan: [36, 39],
} as const;

export type Style = keyof typeof STYLES;

/** A piece of a line, with or without a style. Both may come from a skill, so both are encoded. */
export type Piece = string | { readonly text: string; readonly style: Style };

/**
 * Where a command prints. Everything passes the encoder. Colours are for terminals; FORCE_COLOR and NO_COLOR decide
 * otherwise. A terminal gets long lines wrapped between words, a pipe gets them whole.
 */
export interface Output {
  /** Prints a line of the answer, to stdout. */
  line(...pieces: readonly Piece[]): void;
  /** Prints a line of a file or a command to copy, which is never wrapped. */
  exactLine(...pieces: readonly Piece[]): void;
  /** Prints the answer as one JSON document. */
  json(value: unknown): void;
  /** Prints one of several JSON documents, on one line. */
  jsonLine(value: unknown): void;
  /** Prints an answer that is safe already. */
  raw(text: string): void;
  /** Prints the text of a skill's file: as `verbatim`, and on a terminal with a line end. */
  file(text: string): void;
  /**
   * Prints what comes from a skill: byte for byte to a program, encoded to a terminal, where only line ends and tabs keep
   * their meaning.
   */
  verbatim(content: string | Uint8Array, stream?: 'stdout' | 'stderr'): void;
  /** Prints a line to stderr: everything but the answer. `--quiet` leaves it out. */
  note(...pieces: readonly Piece[]): void;
  /** Prints a line to stderr that says why something was not done. */
  error(...pieces: readonly Piece[]): void;
  /** Shows what is being done, on a terminal only, until the next output of any kind; an empty text clears it. */
  status(text: string): void;
  /** Does a terminal show the answer, rather than a program reading it? */
  readonly isTerminal: boolean;
  /** Columns of the terminal; without one, $COLUMNS or 80. */
  readonly columns: number;
  /** Did the reader of stdout close the pipe? */
  isClosed(): boolean;
}

export interface Streams {
  readonly stdout: StandardStream;
  readonly stderr: StandardStream;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly isQuiet?: boolean;
}

const DEFAULT_COLUMNS = 80;
const CLEAR_LINE = '\r\u001B[K';

export function openOutput({ stdout, stderr, env, isQuiet = false }: Streams): Output {
  const shorten = openHomePaths(env['HOME']);
  let hasStatus = false;
  const clearStatus = (): void => {
    if (hasStatus) stderr.write(CLEAR_LINE);
    hasStatus = false;
  };
  const write = (stream: StandardStream, text: string): void => {
    clearStatus();
    stream.write(`${text}\n`);
  };
  const print = (stream: StandardStream, pieces: readonly Piece[], isExact = false): void => {
    const isTerminal = stream.isTTY && env['TERM'] !== 'dumb';
    const isColoured = (isTerminal || Boolean(env['FORCE_COLOR'])) && !env['NO_COLOR'];
    const spans = pieces.map((piece) => toSpan(piece, shorten));
    const columns = stream.isTTY && !isExact ? stream.columns || DEFAULT_COLUMNS : Infinity;
    for (const line of layOut(spans, columns, isColoured)) write(stream, line);
  };
  return {
    line: (...pieces) => print(stdout, pieces),
    exactLine: (...pieces) => print(stdout, pieces, true),
    note: (...pieces) => (isQuiet ? undefined : print(stderr, pieces)),
    error: (...pieces) => print(stderr, pieces),
    json: (value) => write(stdout, encodeJson(value)),
    jsonLine: (value) => write(stdout, encodeJson(value, { isOneLine: true })),
    raw: (text) => write(stdout, text),
    file: (text) => (stdout.isTTY ? write(stdout, encodeLines(text).replace(/\n$/, '')) : writeVerbatim(text, stdout)),
    verbatim: (content, stream = 'stdout') => writeVerbatim(content, stream === 'stdout' ? stdout : stderr),
    status(text) {
      if (isQuiet || !stderr.isTTY || env['TERM'] === 'dumb') return;
      clearStatus();
      if (text === '') return;
      stderr.write(encodeText(text).slice(0, (stderr.columns || DEFAULT_COLUMNS) - 1));
      hasStatus = true;
    },
    isTerminal: stdout.isTTY,
    columns: (stdout.isTTY ? stdout.columns : Number(env['COLUMNS'])) || DEFAULT_COLUMNS,
    isClosed: () => stdout.isClosed(),
  };
}

function writeVerbatim(content: string | Uint8Array, stream: StandardStream): void {
  stream.write(stream.isTTY ? encodeLines(Buffer.from(content).toString()) : content);
}

function encodeLines(text: string): string {
  const lines = text.split(/\r?\n/);
  return lines.map((line) => line.split('\t').map(encodeText).join('\t')).join('\n');
}

/** Paths print as people write them: `~` for the home directory, unless a quote before it would keep it from working. */
function openHomePaths(home = ''): (text: string) => string {
  if (!/^\/[^/]/.test(home)) return (text) => text;
  const escaped = home.replace(/\/+$/, '').replaceAll(/[^\w/]/g, String.raw`\$&`);
  const pattern = new RegExp(String.raw`(?<![^\s(\`:=])${escaped}(?![^\s/),;:.\`])`, 'g');
  return (text) => text.replaceAll(pattern, '~');
}

interface Span {
  readonly text: string;
  readonly style?: Style | undefined;
}

function toSpan(piece: Piece, shorten: (text: string) => string): Span {
  const { text, style }: Span = typeof piece === 'string' ? { text: piece } : piece;
  return { text: encodeText(shorten(text)), style };
}

/** The lines of styled text that fit so many columns. Those after the first stand below its text. */
function layOut(spans: readonly Span[], columns: number, isColoured: boolean): readonly string[] {
  const paintAll = (parts: readonly Span[]): string => parts.map((span) => paint(span, isColoured)).join('');
  const text = spans.map((span) => span.text).join('');
  if (displayWidth(text) <= columns) return [paintAll(spans)];
  const head = findHead(text, columns);
  const indent = displayWidth(head);
  const [first = '', ...others] = wrap(paintAll(sliceSpans(spans, head.length, text.length)), columns - indent);
  return [`${paintAll(sliceSpans(spans, 0, head.length))}${first}`, ...others.map((line) => ' '.repeat(indent) + line)];
}

function sliceSpans(spans: readonly Span[], start: number, end: number): readonly Span[] {
  let at = 0;
  return spans.flatMap(({ text, style }) => {
    const part = text.slice(Math.max(0, start - at), Math.max(0, end - at));
    at += text.length;
    return part === '' ? [] : [{ text: part, style }];
  });
}

function paint({ text, style }: Span, isColoured: boolean): string {
  if (style === undefined || !isColoured) return text;
  const [on, off] = STYLES[style];
  return `\u001B[${on}m${text}\u001B[${off}m`;
}
