import { displayWidth, fitToWidth } from '../../model/display-width.ts';
import type { Invocation } from '../command.ts';
import type { Io, Terminal } from '../io.ts';
import { encodeText } from '../output/encode.ts';

/** Is there a terminal to ask on? */
export function canAsk({ io }: { readonly io: Io }): boolean {
  return io.terminal !== undefined;
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

/** Needs a terminal: see `canAsk`. */
export function openQuestions({ io, out, noteInterrupt }: Pick<Invocation, 'io' | 'out' | 'noteInterrupt'>): Questions {
  const { terminal } = io;
  if (terminal === undefined) throw new Error('there is no terminal to ask on');
  let isCancelled = false;
  const ask = async <T>(prompt: (clack: Clack, common: Common) => Promise<T | symbol>): Promise<T | undefined> => {
    if (isCancelled) return undefined;
    out.status('');
    const clack = await import('@clack/prompts');
    using ending = listenForEnd(terminal.input, noteInterrupt);
    const answer = await prompt(clack, { ...terminal, withGuide: false, signal: ending.signal });
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
      const settings = {
        message: encodeText(question),
        options: choices.map((choice) => layOut<string>(choice, io.stderr.columns || undefined)),
      };
      const answer = await ask<string>((clack, common) => clack.select({ ...common, ...settings }));
      return choices.find(({ value }) => value === answer)?.value;
    },
    async pick(question, choices) {
      const isLong = choices.length > LONG_LIST;
      const message = encodeText(isLong ? question : `${question} (a selects all)`);
      const settings = {
        message,
        options: choices.map((choice) => layOut(choice, io.stderr.columns || undefined)),
        required: false,
      };
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

interface Common extends Terminal {
  readonly withGuide: false;
  readonly signal: AbortSignal;
}

/** A choice in one line of the terminal. */
function layOut<T extends string | number>({ value, label, hint = '' }: Choice<T>, columns = 80): Choice<T> {
  const room = columns - MARGIN;
  const name = fitToWidth(encodeText(label), room);
  const rest = fitToWidth(encodeText(hint), room - displayWidth(name));
  return rest.length < 2 ? { value, label: name } : { value, label: name, hint: rest };
}

/** Aborts when the input ends or Ctrl-D is typed, which the prompts themselves would wait out for ever. */
function listenForEnd(
  input: Terminal['input'],
  noteInterrupt: () => void,
): Disposable & { readonly signal: AbortSignal } {
  const controller = new AbortController();
  const abort = (): void => void setImmediate(() => controller.abort());
  const onKey = (_text: unknown, key?: { readonly ctrl?: boolean; readonly name?: string }): void => {
    if (key?.ctrl === true && key.name === 'd') abort();
    if (key?.ctrl === true && key.name === 'c') noteInterrupt();
  };
  input.on('end', abort).on('keypress', onKey);
  return {
    signal: controller.signal,
    [Symbol.dispose]: () => void input.off('end', abort).off('keypress', onKey),
  };
}
