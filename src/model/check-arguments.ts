import { listSome } from './list-some.ts';
import { findMeant } from './nearest.ts';

/**
 * Checks an argument of a public function: programs in plain JavaScript have no types. Says what is wrong with the value, beginning
 * with the subject; undefined if it fits.
 */
export type ArgumentKind = (value: unknown, subject: string) => string | undefined;

/**
 * Throws a TypeError if arguments are wrong: the mistake is in the program, not in its data. `call` is how the function is called,
 * which is part of the message: `load(name, options?)`. The arguments are given by name, each with its value and kind.
 */
export function checkCall(
  call: string,
  given: Readonly<Record<string, readonly [value: unknown, kind: ArgumentKind]>>,
): void {
  for (const [name, [value, kind]] of Object.entries(given)) {
    const fault = kind(value, name);
    if (fault !== undefined) throw new TypeError(`${call}: ${fault}`);
  }
}

/** A kind for each option that a type has, and for no other. */
export type OptionKinds<T> = { readonly [Name in keyof Required<T>]: ArgumentKind };

/**
 * An object with these options. An unknown option is an error, because it would be ignored; undefined means missing.
 */
export function optionsOf<T>(kinds: OptionKinds<T>, required: readonly (keyof T & string)[] = []): ArgumentKind {
  const byName = new Map<string, ArgumentKind>(Object.entries(kinds));
  return (value, subject) => {
    if (!isObject(value)) return mustBe(subject, 'an object', value);
    for (const [name, option] of Object.entries(value)) {
      const kind = byName.get(name);
      if (kind === undefined) return describeUnknown('option', name, [...byName.keys()]);
      const fault = option === undefined ? undefined : kind(option, name);
      if (fault !== undefined) return fault;
    }
    const missing = required.find((name) => value[name] === undefined);
    return missing === undefined ? undefined : `${subject} must have "${missing}"`;
  };
}

/** One of these words. */
export function aWordOf(words: readonly string[]): ArgumentKind {
  return (value, subject) => {
    if (words.some((word) => word === value)) return undefined;
    const meant = typeof value === 'string' ? findMeant(value, words) : undefined;
    const question = meant === undefined ? '' : `; did you mean "${meant}"?`;
    return `${mustBe(subject, words.map((word) => `"${word}"`).join(' or '), value)}${question}`;
  };
}

/** A value that one of these kinds takes. */
export function either(name: string, ...kinds: readonly ArgumentKind[]): ArgumentKind {
  return (value, subject) =>
    kinds.some((kind) => kind(value, subject) === undefined) ? undefined : mustBe(subject, name, value);
}

/** A list whose entries are all of this kind. */
export function aListOf(name: string, kind: ArgumentKind): ArgumentKind {
  return (value, subject) => {
    if (!Array.isArray(value)) return mustBe(subject, name, value);
    for (const [at, entry] of value.entries()) {
      const fault = kind(entry, `${subject}[${at}]`);
      if (fault !== undefined) return fault;
    }
    return undefined;
  };
}

export const aString: ArgumentKind = kindOf('a string', (value) => typeof value === 'string');
export const aBoolean: ArgumentKind = kindOf('true or false', (value) => typeof value === 'boolean');
export const aNumber: ArgumentKind = kindOf('a number', (value) => typeof value === 'number' && !Number.isNaN(value));
export const aFunction: ArgumentKind = kindOf('a function', (value) => typeof value === 'function');
export const anObject: ArgumentKind = kindOf('an object', isObject);
export const stringOrBytes: ArgumentKind = kindOf(
  'a string or bytes',
  (value) => typeof value === 'string' || value instanceof Uint8Array,
);
export const strings: ArgumentKind = aListOf('a list of strings', aString);
/** One name, or several. */
export const stringOrStrings: ArgumentKind = either('a string or a list of strings', aString, strings);

/** A list of skills, or of whatever the name says. */
export function skillsOr(name: string): ArgumentKind {
  return aListOf(name, (value, subject) =>
    isObject(value) && typeof value['status'] === 'string' && typeof value['name'] === 'string'
      ? undefined
      : `${mustBe(subject, 'a skill', value)}; \`fromFile\`, \`loadAll\` and \`discoverSkills\` give skills`,
  );
}

export const skillList: ArgumentKind = skillsOr('a list of skills');

function kindOf(name: string, accepts: (value: unknown) => boolean): ArgumentKind {
  return (value, subject) => (accepts(value) ? undefined : mustBe(subject, name, value));
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function mustBe(subject: string, name: string, value: unknown): string {
  return `${subject} must be ${name}, not ${describeValue(value)}`;
}

const MAX_SHOWN = 60;

function describeValue(value: unknown): string {
  if (Array.isArray(value)) return 'a list';
  if (typeof value === 'string') return value.length > MAX_SHOWN ? 'a long string' : JSON.stringify(value);
  if (typeof value === 'function') return 'a function';
  if (typeof value !== 'object' || value === null) return String(value);
  const keys = Object.keys(value);
  return keys.length === 0 ? 'an empty object' : `an object with ${listSome(keys, { most: 4 })}`;
}

/** Names the intended option, or lists all options. */
export function describeUnknown(what: string, name: string, known: readonly string[]): string {
  const meant = findMeant(name, known);
  const instead = meant === undefined ? `there are ${known.join(', ')}` : `did you mean "${meant}"?`;
  return `unknown ${what} "${name}"; ${instead}`;
}
