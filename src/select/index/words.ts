import { decompose } from './decompose.ts';
import { isSmallWord, languageOf, lightStem, stemKorean, stemRussian, type Language } from './languages.ts';

/**
 * The words of a text as the index knows them: lower case, accents folded, split at hyphens, underscores and
 * camelCase, light English stems, without stop words; Chinese, Japanese and Korean as pairs of characters. In a text of
 * another language a word comes twice, also with the stem of that language: its texts are full of English words.
 */
export function wordsOf(text: string, language: Language | undefined = languageOf(text)): readonly string[] {
  return spelledWordsOf(text, language).map(({ word }) => word);
}

/** A word as the index knows it, and as the text spells it, for people to read. */
export interface SpelledWord {
  readonly word: string;
  readonly spelling: string;
}

export function spelledWordsOf(
  text: string,
  language: Language | undefined = languageOf(text),
): readonly SpelledWord[] {
  const words: SpelledWord[] = [];
  for (const token of tokensOf(text)) {
    if (isWide(token)) for (const pair of pairsOf(token)) words.push({ word: pair, spelling: pair });
    else for (const word of formsOf(token, language)) words.push({ word, spelling: token });
  }
  return words;
}

/** The words by which a token is known, none for a stop word. The rules of English come first. */
export function formsOf(token: string, language: Language | undefined): readonly string[] {
  if (!isWord(token)) return [];
  if (language === undefined) return [stem(token)];
  if (isSmallWord(token, language)) return [];
  const form = lightStem(token, language);
  return form === undefined ? [stem(token)] : [stem(token), form];
}

/** A hash depends on the word alone, so that indexed skills need no common table of words. */
export function hashWord(word: string): number {
  let hash = 0x811c9dc5;
  for (let at = 0; at < word.length; at += 1) hash = Math.imul(hash ^ word.charCodeAt(at), 0x01000193);
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b);
  return (hash ^ (hash >>> 13)) >>> 0;
}

/** The runs of letters and digits of a text, in lower case. */
export function tokensOf(text: string): readonly string[] {
  const normal = normalize(text);
  // In here, as the second one takes milliseconds to make, and most requests do not need it.
  const token = isAscii(normal)
    ? /[a-z0-9]+/g
    : /[a-z0-9]+|[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}\u30fc]+|\p{sc=Hangul}+|[\p{L}\p{N}\p{Mc}]+/gu;
  return normal.match(token) ?? [];
}

/** Patterns for letters of all scripts take long to make; for such a text, simple ones do. */
export function isAscii(text: string): boolean {
  // oxlint-disable-next-line no-control-regex
  return /^[\0-\x7f]*$/.test(text);
}

export function isWord(token: string): boolean {
  return token.length > 1 && !STOP_WORDS.has(token);
}

/** Names that would be split at their punctuation, with a spelling that is not. */
const SPECIAL: readonly (readonly [RegExp, string])[] = [
  [/\bc\+\+/g, ' cplusplus '],
  [/\bc#/g, ' csharp '],
  [/\bf#/g, ' fsharp '],
  [/(?<![a-z0-9])\.net\b/g, ' dotnet '],
  [/\b([a-z]+)\.js\b/g, ' $1js '],
];

/** Is the token Chinese, Japanese or Korean? Checks the first letter only: most tokens are Latin. */
export function isWide(token: string): boolean {
  if (token.charCodeAt(0) < 0x1100) return false;
  return /^[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}]/u.test(token);
}

function normalize(text: string): string {
  const split = /[a-z0-9][A-Z]/.test(text) ? text.replaceAll(/([a-z0-9])([A-Z])/g, '$1 $2') : text;
  let lower = (hasNothingToFold(split) ? split : foldAccents(split)).toLowerCase();
  if (/[+#]|\.net|\.js/.test(lower)) for (const [pattern, word] of SPECIAL) lower = lower.replaceAll(pattern, word);
  return lower;
}

/** Korean syllables, Japanese voiced sounds and the Russian й are letters of their own, and are put together again. */
function foldAccents(text: string): string {
  const folded = decompose(text.replaceAll(DOTS, ' ')).replaceAll(
    /(?<![\u0418\u0438])\u0306|[\p{Mn}--[\u0306\u3099\u309a]]/gv,
    '',
  );
  return folded.normalize('NFC').replaceAll(/[ßẞæÆøØœŒłŁđĐ]/g, (letter) => UNFOLDED[letter.toLowerCase()] ?? letter);
}

/** They would fold to dots, which are part of names such as `.net`. A sign must not mean more in a text with accents. */
const DOTS = /[\u2024-\u2026]/g;

/** Letters that are not a plain letter with an accent, as people without them write them. */
const UNFOLDED: Readonly<Record<string, string>> = { ß: 'ss', æ: 'ae', ø: 'o', œ: 'oe', ł: 'l', đ: 'd' };

/** Are all letters and digits of the text in ASCII? */
function hasNothingToFold(text: string): boolean {
  return isAscii(text) || NOTHING_TO_FOLD.test(text);
}

/** ASCII, and the dashes, quotes, arrows, frames pictures and other signs that English texts have beside it. */
// oxlint-disable no-control-regex, no-misleading-character-class -- exactly these are meant
const NOTHING_TO_FOLD =
  /^[\0-\x7f\u00a7\u00a9\u00ab\u00ae\u00b0\u00b1\u00b6\u00b7\u00bb\u00d7\u00f7\u2010-\u2027\u2190-\u23ff\u2500-\u2775\u2794-\u27bf\ufe0e-\ufe0f\u{1f300}-\u{1faff}]*$/u;
// oxlint-enable no-control-regex, no-misleading-character-class

/** A run of Chinese or Japanese, or a Korean word, as the index knows it. */
export function pairsOf(token: string): readonly string[] {
  const characters = Array.from(isKorean(token) ? stemKorean(token) : token);
  if (characters.length === 1) return /^\p{sc=Hiragana}$/u.test(token) ? [] : characters;
  const pairs = characters.slice(1).map((character, at) => `${characters[at]}${character}`);
  // Between other signs, Hiragana are endings and particles.
  const telling = pairs.filter((pair) => !/^\p{sc=Hiragana}+$/u.test(pair));
  return telling.length === 0 ? pairs : telling;
}

function isKorean(token: string): boolean {
  return /^\p{sc=Hangul}/u.test(token);
}

/** Takes off the endings that change no meaning; the result need not be a word. */
export function stem(word: string): string {
  if (word.length < 4) return word;
  if (!/^[a-z]+$/.test(word)) return /^\p{sc=Cyrillic}+$/u.test(word) ? stemRussian(word) : word;
  let root = word;
  if (root.endsWith('ies') && root.length > 4) root = `${root.slice(0, -3)}y`;
  else if (/(?:s|x|z|ch|sh)es$/.test(root)) root = root.slice(0, -2);
  else if (root.endsWith('s') && !/(?:ss|us|is|js)$/.test(root)) root = root.slice(0, -1);
  const bare = root.endsWith('ing') ? root.slice(0, -3) : root.endsWith('ed') ? root.slice(0, -2) : undefined;
  if (bare !== undefined && bare.length >= 3 && /[aeiouy]/.test(bare)) {
    root = /([bdfgmnprt])\1$/.test(bare) ? bare.slice(0, -1) : bare;
  }
  return root.length > 3 && root.endsWith('e') ? root.slice(0, -1) : root;
}

const STOP_WORDS: ReadonlySet<string> = new Set(
  `a an and are as at be been but by can could did do does for from had has have he her his how i if in into is it its
  just let me my no not of on or our out over please she should so some such than that the their them then there these
  they this those to too up us use used user using want was we were what when where which while who will with would
  you your need help skill am also any all about make like`.split(/\s+/),
);
