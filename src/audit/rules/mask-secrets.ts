import { CONTENT_RULES } from './content.ts';
import { readWords, type TextWords } from './needed-words.ts';

const SECRET_RULES = CONTENT_RULES.filter(({ isSecret }) => isSecret === true);
const MASK = '•';

/** Masks every secret in a text; the length stays the same. `words` are those of the text, if they are known. */
export function maskSecrets(text: string, words: TextWords = readWords(text)): string {
  return SECRET_RULES.filter(words.hasNeeds).reduce((masked, { pattern, accepts }) => {
    let done = '';
    let from = 0;
    for (const match of masked.matchAll(pattern)) {
      if (accepts?.(match) === false) continue;
      const { start, secret } = findSecret(match);
      const hidden = match.index + start.length + countShown(secret);
      const end = match.index + start.length + secret.length;
      done += masked.slice(from, hidden) + MASK.repeat(end - hidden);
      from = end;
    }
    return from === 0 ? masked : done + masked.slice(from);
  }, text);
}

/** Shows enough of a secret to find it, and too little to use it. */
export function describeSecret(match: RegExpExecArray): string {
  const { start, secret } = findSecret(match);
  return `${start}${secret.slice(0, countShown(secret))}… (${secret.length} characters)`;
}

/** The secret is the captured group, or the whole match. */
function findSecret(match: RegExpExecArray): { readonly start: string; readonly secret: string } {
  const secret = match.slice(1).find((group) => group !== undefined) ?? match[0];
  return { start: match[0].slice(0, match[0].lastIndexOf(secret)), secret };
}

function countShown({ length }: string): number {
  return Math.min(6, Math.floor(length / 4));
}

/** Shortens masks, so that they leave room for the words around them. */
export function shortenMasks(text: string): string {
  return text.replaceAll(/•{4,}/g, '…');
}
