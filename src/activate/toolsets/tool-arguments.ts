import { explainThrown, isPlainObject, type PlainObject } from '../../model/foreign-values.ts';
import { fail, type Outcome } from '../../model/outcome.ts';

/** The longest arguments of one call, in characters of JSON. */
export const MAX_ARGUMENTS_LENGTH: number = 1024 * 1024;

/**
 * Reads the arguments of a call as plain data. They may come as JSON text, as from OpenAI's API and the command line;
 * undefined, null or empty text means no arguments.
 */
export function readArguments(given: unknown): Outcome<{ readonly args: PlainObject }> {
  try {
    if (typeof given === 'string' && given.length > MAX_ARGUMENTS_LENGTH) return tooLarge();
    const text = JSON.stringify(parse(given)) ?? 'null';
    if (text.length > MAX_ARGUMENTS_LENGTH) return tooLarge();
    // Quotation marks inside a text are escaped, so this can only be a key.
    if (text.includes('"__proto__":')) return wrong('the name "__proto__" is not allowed');
    const args: unknown = JSON.parse(text);
    return isPlainObject(args) ? { ok: true, args } : wrong('they must be an object');
  } catch (error) {
    return wrong(`they are not JSON: ${explainThrown(error)}`);
  }
}

function parse(given: unknown): unknown {
  if (given === undefined || given === null || given === '') return {};
  return typeof given === 'string' ? JSON.parse(given) : given;
}

function wrong(why: string): Outcome<never> {
  return fail('TOOLSET_FAILED', `the arguments are wrong: ${why}`);
}

function tooLarge(): Outcome<never> {
  return fail('ARGS_TOO_LARGE', `the arguments are longer than ${MAX_ARGUMENTS_LENGTH} characters of JSON`);
}
