import { KEY_PATTERN, WORD, type Statement } from './statement.ts';

/**
 * Prints a statement on one line, so that parsing it gives the same statement. Throws for a tag, domain or key that no
 * statement can hold; `parseStatement` returns no such statement.
 */
export function printStatement(statement: Statement): string {
  const { operator, plane, target, tags, domain, limit, text, pairs } = statement;
  const parts = [
    ...(target === undefined ? [] : [printText(target)]),
    ...tags.map((tag) => `#${requireWord(tag, WORD)}`),
    ...(domain === undefined ? [] : [`@${requireWord(domain, WORD)}`]),
    ...(limit === undefined ? [] : [`^${limit}`]),
    ...(text === undefined ? [] : [quote(text)]),
    ...Object.entries(pairs).map(([key, value]) => `${requireWord(key, KEY_PATTERN)}=${printText(value)}`),
  ];
  return [`${operator}${plane}`, ...parts].join(' ');
}

/** Text that needs no quotation marks, wherever it appears. */
const PLAIN = /^[\p{L}\p{N}][\p{L}\p{N}._/:-]*$/u;

function printText(text: string): string {
  return PLAIN.test(text) ? text : quote(text);
}

function quote(text: string): string {
  return `"${text.replaceAll(SPECIAL, escape)}"`;
}

/** A combining mark would merge with the letter of an escape, so a line break or tab before one stays as it is. */
const SPECIAL = /["\\]|[\n\t](?!\p{M})/gu;

function escape(character: string): string {
  if (character === '\n') return String.raw`\n`;
  return character === '\t' ? String.raw`\t` : `\\${character}`;
}

function requireWord(word: string, form: RegExp): string {
  if (form.test(word)) return word;
  throw new RangeError(`no statement can hold ${JSON.stringify(word)} there`);
}
