import { isatty } from 'node:tty';

import { displayWidth, fitToWidth } from '../../model/display-width.ts';
import { encodeText } from '../output/encode.ts';
import type { Output } from '../output/output.ts';
import { noteInterrupt } from './interrupt.ts';

const [STDIN, STDERR] = [0, 2];

/** Is there a terminal to ask on? */
export function canAsk(): boolean {
  // Asking `process.stdin` would open it, which takes a while.
  return [STDIN, STDERR].every((descriptor) => isatty(descriptor));
}

/** One thing to choose; everything in it is encoded. */
export interface Choice<T extends string | number> {
  readonly value: T;
  readonly label: string;
  readonly hint?: string;
}

/**
 * Asks on stderr. Escape, Ctrl-C and the end of input cancel this question and all later ones, so that one keystroke
 * leaves everything as it was.
 */
export interface Questions {
  /** No is the default, and the answer of a cancelled question. */
  confirm(question: string): Promise<boolean>;
  /** Empty if cancelled. */
  text(question: string, placeholder: string): Promise<string>;
  /** Not shown while it is typed; empty if cancelled. */
  secret(question: string): Promise<string>;
  /** The first choice is the default; undefined if cancelled. */
  choose<T extends string>(question: string, choices: readonly Choice<T>[]): Promise<T | undefined>;
  /** Any number of them; none if cancelled. A long list can be searched by typing. */
  pick(question: string, choices: readonly Choice<number>[]): Promise<readonly number[]>;
}

const LONG_LIST = 12;
const SHOWN_AT_ONCE = 10;
/** Room for the mark before a label, the parentheses around a hint, and a free last column. */
const MARGIN = 8;

export function openQuestions(out: Output): Questions {
  let isCancelled = false;
  const ask = async <T>(prompt: (clack: Clack, common: Common) => Promise<T | symbol>): Promise<T | undefined> => {
    if (isCancelled) return undefined;
    out.status('');
    const clack = await import('@clack/prompts');
    using ending = listenForEnd();
    const answer = await prompt(clack, { output: process.stderr, withGuide: false, signal: ending.signal });
    isCancelled = typeof answer === 'symbol';
    return typeof answer === 'symbol' ? undefined : answer;
  };
  return {
    async confirm(question) {
      const settings = { message: encodeText(question), initialValue: false };
      return (await ask<boolean>((clack, common) => clack.confirm({ ...common, ...settings }))) ?? false;
    },
    async text(question, placeholder) {
      const settings = { message: encodeText(question), placeholder };
      return (await ask<string>((clack, common) => clack.text({ ...common, ...settings })))?.trim() ?? '';
    },
    async secret(question) {
      const settings = { message: encodeText(question) };
      return (await ask<string>((clack, common) => clack.password({ ...common, ...settings })))?.trim() ?? '';
    },
    async choose(question, choices) {
      const settings = { message: encodeText(question), options: choices.map(layOut<string>) };
      const answer = await ask<string>((clack, common) => clack.select({ ...common, ...settings }));
      return choices.find(({ value }) => value === answer)?.value;
    },
    async pick(question, choices) {
      const isLong = choices.length > LONG_LIST;
      const message = encodeText(isLong ? question : `${question} (a selects all)`);
      const settings = { message, options: choices.map(layOut<number>), required: false };
      const picked = await ask<readonly number[]>((clack, common) =>
        isLong
          ? clack.autocompleteMultiselect({ ...common, ...settings, maxItems: SHOWN_AT_ONCE })
          : clack.multiselect({ ...common, ...settings }),
      );
      return picked ?? [];
    },
  };
}

type Clack = typeof import('@clack/prompts');

interface Common {
  readonly output: NodeJS.WriteStream;
  readonly withGuide: false;
  readonly signal: AbortSignal;
}

/** A choice in one line of the terminal. */
function layOut<T extends string | number>({ value, label, hint = '' }: Choice<T>): Choice<T> {
  const room = (process.stderr.columns || 80) - MARGIN;
  const name = fitToWidth(encodeText(label), room);
  const rest = fitToWidth(encodeText(hint), room - displayWidth(name));
  return rest.length < 2 ? { value, label: name } : { value, label: name, hint: rest };
}

/** Aborts when the input ends or Ctrl-D is typed, which the prompts themselves would wait out for ever. */
function listenForEnd(): Disposable & { readonly signal: AbortSignal } {
  const controller = new AbortController();
  const abort = (): void => void setImmediate(() => controller.abort());
  const onKey = (_text: unknown, key?: { readonly ctrl?: boolean; readonly name?: string }): void => {
    if (key?.ctrl === true && key.name === 'd') abort();
    if (key?.ctrl === true && key.name === 'c') noteInterrupt();
  };
  process.stdin.on('end', abort).on('keypress', onKey);
  return {
    signal: controller.signal,
    [Symbol.dispose]: () => void process.stdin.off('end', abort).off('keypress', onKey),
  };
}
