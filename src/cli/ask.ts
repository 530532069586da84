import { createInterface } from 'node:readline/promises';

import { encodeText } from './encode.ts';

/** Can somebody be asked? */
export function canAsk(): boolean {
  // The types promise a boolean; a pipe has none.
  return [process.stdin, process.stderr].every((stream) => stream.isTTY);
}

/** Asks a question on the terminal; anything but "y" or "yes" is no. */
export async function askYesOrNo(question: string): Promise<boolean> {
  return /^y(?:es)?$/i.test(await askText(`${question} [y/N]`));
}

const END_OF_INPUT = '\u0004';

/** Asks for a line; an ended input is an empty one. What was typed ahead is there for the next question. */
export async function askText(question: string): Promise<string> {
  const terminal = createInterface({ input: process.stdin, output: process.stderr });
  const ahead: string[] = [];
  terminal.on('line', (line) => ahead.push(`${line}\n`));
  const closed = new Promise<string>((resolve) => {
    terminal.once('close', () => {
      ahead.push(END_OF_INPUT);
      resolve('');
    });
  });
  try {
    return (await Promise.race([terminal.question(`${encodeText(question)} `), closed])).trim();
  } finally {
    const rest = `${ahead.join('')}${terminal.line}`;
    terminal.close();
    if (rest !== '' && process.stdin.readable) process.stdin.unshift(rest);
  }
}

/** Which of a list are meant by `1,3-5` or `all`; undefined where it is not understood. */
export function parseChoice(answer: string, count: number): readonly number[] | undefined {
  if (/^(?:a|all|\*)$/i.test(answer)) return Array.from({ length: count }, (_, index) => index);
  const chosen = new Set<number>();
  for (const part of answer.split(/[\s,]+/).filter((text) => text !== '')) {
    const [, first = '', last = first] = /^(\d{1,6})(?:-(\d{1,6}))?$/.exec(part) ?? [];
    if (first === '' || Number(first) < 1 || Number(last) > count || Number(last) < Number(first)) return undefined;
    for (let number = Number(first); number <= Number(last); number += 1) chosen.add(number - 1);
  }
  return [...chosen].sort((a, b) => a - b);
}
