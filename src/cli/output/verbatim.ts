import { encodeText } from './encode.ts';
import type { Output } from './output.ts';

type StreamName = 'stdout' | 'stderr';

/** Does a terminal show the stream, rather than a program reading it? */
export function isOnTerminal(stream: StreamName = 'stdout'): boolean {
  return process[stream].isTTY;
}

/** Prints the text of a skill's file. On a terminal, adds a missing line end. */
export function printFile(text: string, out: Output): void {
  if (isOnTerminal()) out.raw(encodeLines(text).replace(/\n$/, ''));
  else printVerbatim(text);
}

/**
 * Prints what comes from a skill: byte for byte to a program, encoded to a terminal, where only line ends and tabs keep
 * their meaning.
 */
export function printVerbatim(content: string | Uint8Array, stream: StreamName = 'stdout'): void {
  const text = typeof content === 'string' ? content : Buffer.from(content).toString();
  process[stream].write(isOnTerminal(stream) ? encodeLines(text) : content);
}

function encodeLines(text: string): string {
  const lines = text.split(/\r?\n/);
  return lines.map((line) => line.split('\t').map(encodeText).join('\t')).join('\n');
}
