import { KEY, WORD, type Statement } from './statement.ts';

/**
 * A statement as text, on one line, that reads as the same statement. It is for statements as `parseStatement` gives
 * them: a tag, domain or key that no statement can have is an error of the caller, and throws.
 */
export function printStatement(statement: Statement): string {
  const { operator, plane, target, tags, domain, limit, text, pairs } = statement;
  const parts = [
    ...(target === undefined ? [] : [printText(target)]),
    ...tags.map((tag) => `#${requireWord(tag, WORD)}`),
    ...(domain === undefined ? [] : [`@${requireWord(domain, WORD)}`]),
    ...(limit === undefined ? [] : [`^${limit}`]),
    ...(text === undefined ? [] : [quote(text)]),
    ...Object.entries(pairs).map(([key, value]) => `${requireWord(key, KEY)}=${printText(value)}`),
  ];
  return [`${operator}${plane}`, ...parts].join(' ');
}

/** What is safe to leave without quotation marks, whatever stands before it. */
const PLAIN = /^[\p{L}\p{N}][\p{L}\p{N}._/:-]*$/u;

function printText(text: string): string {
  return PLAIN.test(text) ? text : quote(text);
}

function quote(text: string): string {
  return `"${text.replaceAll(SPECIAL, escape)}"`;
}

/** Before a mark the letter of an escape would melt into one with it, so that the line break stays as it is. */
const SPECIAL = /["\\]|[\n\t](?!\p{M})/gu;

function escape(character: string): string {
  if (character === '\n') return String.raw`\n`;
  return character === '\t' ? String.raw`\t` : `\\${character}`;
}

function requireWord(word: string, form: RegExp): string {
  if (form.test(word)) return word;
  throw new RangeError(`no statement can hold ${JSON.stringify(word)} there`);
}
