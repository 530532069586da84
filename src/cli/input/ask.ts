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
  /** No is the default unless it is said otherwise, and always the answer of a cancelled question. */
  confirm(question: string, isYesDefault?: boolean): Promise<boolean>;
  /** Empty if cancelled. */
  text(question: string, placeholder: string): Promise<string>;
  /** Not shown while it is typed; empty if cancelled. */
  secret(question: string): Promise<string>;
  /** The first choice is the default; undefined if cancelled. */
  choose<T extends string>(question: string, choices: readonly Choice<T>[]): Promise<T | undefined>;
  /** Any number of them; none if cancelled. Typing searches; Enter takes the highlighted one if none was selected. */
  pick(question: string, choices: readonly Choice<number>[]): Promise<readonly number[]>;
  /** Any number of them, all of which have a check mark at first; undefined if cancelled. */
  check(question: string, choices: readonly Choice<number>[]): Promise<readonly number[] | undefined>;
  /** Was a question cancelled? */
  isCancelled(): boolean;
}

const SHOWN_AT_ONCE = 10;
/** Room for the mark before a label, the parentheses around a hint, and a free last column. */
const MARGIN = 8;

/** Needs a terminal: see `canAsk`. */
export function openQuestions({ io, out, noteInterrupt }: Pick<Invocation, 'io' | 'out' | 'noteInterrupt'>): Questions {
  const { terminal } = io;
  if (terminal === undefined) throw new Error('no terminal to ask on');
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
    async confirm(question, isYesDefault = false) {
      const settings = { message: encodeText(question), initialValue: isYesDefault };
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
      const listed = choices.map((choice) => layOut(choice, io.stderr.columns || undefined));
      const isMet = (search: string, { label = '', hint = '' }: { label?: string; hint?: string }): boolean =>
        `${label} ${hint}`.toLowerCase().includes(search.trim().toLowerCase());
      let isListening = false;
      const picked = await ask<readonly number[]>((clack, common) =>
        clack.autocompleteMultiselect<number>({
          ...common,
          message: encodeText(question),
          // The prompt asks for its options first, so this listener comes before its own.
          options() {
            if (!isListening)
              this.on('key', (_, { name }) => {
                if (name === 'return' && this.selectedValues.length === 0 && this.focusedValue !== undefined)
                  this.toggleSelected(this.focusedValue);
              });
            isListening = true;
            return listed;
          },
          filter: isMet,
          required: false,
          maxItems: SHOWN_AT_ONCE,
        }),
      );
      return picked ?? [];
    },
    async check(question, choices) {
      const settings = {
        message: encodeText(question),
        options: choices.map((choice) => layOut(choice, io.stderr.columns || undefined)),
        initialValues: choices.map(({ value }) => value),
        required: false,
      };
      return ask<readonly number[]>((clack, common) => clack.multiselect({ ...common, ...settings }));
    },
    isCancelled: () => isCancelled,
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
