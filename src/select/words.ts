/**
 * The words of a text as the index knows them: lower case, accents folded, split at hyphens, underscores and
 * camelCase, light English stems, without stop words; Chinese, Japanese and Korean as pairs of characters.
 */
export function wordsOf(text: string): string[] {
  const words: string[] = [];
  for (const token of tokensOf(text)) {
    if (isWide(token)) pushPairs(token, words);
    else words.push(stem(token));
  }
  return words;
}

/** How the words of a text are spelled in it, for people to read. */
export function spellingsOf(text: string): ReadonlyMap<string, string> {
  const tokens = tokensOf(text).filter((token) => !isWide(token));
  return new Map(tokens.map((token) => [stem(token), token]));
}

function tokensOf(text: string): readonly string[] {
  const tokens = normalize(text).match(TOKEN) ?? [];
  return tokens.filter((token) => (token.length > 1 && !STOP_WORDS.has(token)) || isWide(token));
}

const TOKEN = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}]+|[a-z0-9]+|[\p{L}\p{N}]+/gu;
const WIDE = /^[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}]/u;

/** Names that would fall apart at their signs, under one spelling. */
const SPECIAL: readonly (readonly [RegExp, string])[] = [
  [/\bc\+\+/g, ' cplusplus '],
  [/\bc#/g, ' csharp '],
  [/\bf#/g, ' fsharp '],
  [/(?<![a-z0-9])\.net\b/g, ' dotnet '],
  [/\b([a-z]+)\.js\b/g, ' $1js '],
];

/** Most tokens are Latin, and their first letter says so. */
function isWide(token: string): boolean {
  return token.charCodeAt(0) >= 0x1100 && WIDE.test(token);
}

function normalize(text: string): string {
  const split = /[a-z0-9][A-Z]/.test(text) ? text.replaceAll(/([a-z0-9])([A-Z])/g, '$1 $2') : text;
  // oxlint-disable-next-line no-control-regex -- exactly ASCII is meant
  const folded = /^[\0-\x7f]*$/.test(split) ? split : split.normalize('NFKD').replaceAll(/\p{Mn}+/gu, '');
  let lower = folded.toLowerCase();
  if (/[+#]|\.net|\.js/.test(lower)) for (const [pattern, word] of SPECIAL) lower = lower.replaceAll(pattern, word);
  return lower;
}

function pushPairs(token: string, words: string[]): void {
  const characters = Array.from(token);
  if (characters.length === 1) words.push(token);
  for (let at = 0; at + 1 < characters.length; at += 1) words.push(`${characters[at]}${characters[at + 1]}`);
}

/** Takes off the endings that change no meaning; the result need not be a word. */
export function stem(word: string): string {
  if (word.length < 4 || !/^[a-z]+$/.test(word)) return word;
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
