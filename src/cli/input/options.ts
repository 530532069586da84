import { hideAllCredentials } from '../../model/address.ts';
import { toFlag } from '../../model/next-step.ts';

/** The options of one command line, by name in camel case. Asking for an option that the command lacks is a bug. */
export interface Options {
  /** Was it given? */
  has(name: string): boolean;
  /** Its value; the last one if it was repeated. */
  text(name: string): string | undefined;
  /** Every value, in order. */
  all(name: string): readonly string[];
  /** A whole number. */
  count(name: string, range?: Range): number | undefined;
  /** A number from 0 to 1. */
  share(name: string): number | undefined;
  oneOf<T extends string>(name: string, choices: readonly T[]): T | undefined;
  /** A value that `parse` understands; `expected` lists what it accepts. */
  parsed<T>(name: string, parse: (text: string) => T | undefined, expected: string): T | undefined;
}

interface Range {
  readonly min?: number;
  readonly max?: number;
  /** Names the unit in the message; the default is "a whole number". */
  readonly expected?: string;
}

/** The command line is wrong. Only `main` catches it: exit code 2 and one sentence. */
export class WrongUsage extends Error {
  /** Whole sentences about this command line. */
  readonly advice: string | undefined;

  constructor(message: string, advice?: string) {
    super(hideAllCredentials(message));
    this.advice = advice;
  }
}

/** Reads typed values from what was given; a wrong value throws `WrongUsage`. */
export function openOptions(given: ReadonlyMap<string, readonly string[]>, known: ReadonlySet<string>): Options {
  const all = (name: string): readonly string[] => {
    if (!known.has(name)) throw new Error(`the command has no option ${toFlag(name)}`);
    return given.get(name) ?? [];
  };
  const text = (name: string): string | undefined => all(name).at(-1);
  const parsed: Options['parsed'] = (name, parse, expected) => {
    const value = text(name);
    if (value === undefined) return undefined;
    const result = parse(value);
    if (result === undefined) throw new WrongUsage(`${toFlag(name)} takes ${expected}, not "${value}"`);
    return result;
  };
  return {
    has: (name) => all(name).length > 0,
    text,
    all,
    count: (name, { expected = 'a whole number', ...range } = {}) =>
      parsed(name, (value) => parseCount(value, range), expected),
    share: (name) => parsed(name, parseShare, 'a number from 0 to 1'),
    oneOf: (name, choices) => parsed(name, (value) => choices.find((choice) => choice === value), choices.join(', ')),
    parsed,
  };
}

/** `--token-file` is `tokenFile`. */
export function toName(flag: string): string {
  return flag.slice(2).replaceAll(/-([a-z])/g, (_, letter: string) => letter.toUpperCase());
}

function parseCount(text: string, { min = 0, max = Number.MAX_SAFE_INTEGER }: Range): number | undefined {
  const value = Number(text);
  return /^\d+$/.test(text) && value >= min && value <= max ? value : undefined;
}

function parseShare(text: string): number | undefined {
  const value = Number(text);
  return /^[\d.]+$/.test(text) && value >= 0 && value <= 1 ? value : undefined;
}
