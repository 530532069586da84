import { encodeText } from './encode.ts';

type StreamName = 'stdout' | 'stderr';

/** Is somebody looking at the answer, rather than a program reading it? */
export function isOnTerminal(stream: StreamName = 'stdout'): boolean {
  return process[stream].isTTY;
}

/** Prints what a skill's file holds; on a terminal the last line ends, too. */
export function printFile(content: string | Uint8Array): void {
  printVerbatim(content);
  const isEnded = typeof content === 'string' ? content.endsWith('\n') : content.at(-1) === NEWLINE;
  if (isOnTerminal() && !isEnded) process.stdout.write('\n');
}

const NEWLINE = 10;

/**
 * Prints what comes out of a skill. A program gets it byte for byte, for it asked for exactly that; on a terminal it
 * passes the encoder line by line, and only line ends and tabs stay what they are.
 */
export function printVerbatim(content: string | Uint8Array, stream: StreamName = 'stdout'): void {
  const text = typeof content === 'string' ? content : Buffer.from(content).toString();
  process[stream].write(isOnTerminal(stream) ? encodeLines(text) : content);
}

function encodeLines(text: string): string {
  const lines = text.split(/\r?\n/);
  return lines.map((line) => line.split('\t').map(encodeText).join('\t')).join('\n');
}
