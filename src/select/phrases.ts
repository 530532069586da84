import { once } from '../model/once.ts';
import { decompose } from './index/decompose.ts';

/**
 * Finds words and phrases in a text in one pass. Case, accents and widths are ignored (straße = STRASSE, café = cafe),
 * and so are differences between blanks, hyphens and underscores; signs matter (`c++`, `.net`, `node.js`).
 */
export interface Phrases<T> {
  /** Registers the value to return if the folded phrase is found. An empty phrase is never found. */
  add(folded: string, value: T): void;
  /** The values of all phrases that occur in the text as whole words, in text order, each once. */
  findIn(text: string): ReadonlySet<T>;
}

/** The longest phrase, in words, signs and blanks; a skill's name (64 characters) always fits. */
const MAX_PHRASE_TOKENS = 64;

/** Takes time by the length of the text, regardless of the number of phrases. */
export function openPhrases<T>(): Phrases<T> {
  const root: Node<T> = {};
  return {
    add(folded, value) {
      const tokens = tokensOf(folded);
      if (tokens.length === 0 || tokens.length > MAX_PHRASE_TOKENS) return;
      let node = root;
      for (const token of tokens) {
        node.next ??= new Map();
        const next = node.next.get(token) ?? {};
        node.next.set(token, next);
        node = next;
      }
      (node.values ??= []).push(value);
    },
    findIn(text) {
      const tokens = tokensOf(fold(text));
      const found = new Set<T>();
      for (let at = 0; at < tokens.length; at += 1) {
        if (root.next?.has(tokens[at] ?? '') && isFreeBefore(tokens, at)) collectFrom(root, { tokens, at, found });
      }
      return found;
    },
  };
}

/** A node in the tree of phrases, one token deep. */
interface Node<T> {
  next?: Map<string, Node<T>>;
  values?: T[];
}

interface Search<T> {
  readonly tokens: readonly string[];
  readonly at: number;
  readonly found: Set<T>;
}

function collectFrom<T>(root: Node<T>, { tokens, at, found }: Search<T>): void {
  let node: Node<T> | undefined = root;
  for (let end = at; end < tokens.length; end += 1) {
    node = node.next?.get(tokens[end] ?? '');
    if (node === undefined) return;
    if (node.values !== undefined && isFreeAfter(tokens, end)) for (const value of node.values) found.add(value);
  }
}

/** Scripts that set no blanks between words: there a phrase is found wherever its characters stand. */
const UNSPACED = String.raw`\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}\u30FC\p{sc=Thai}\p{sc=Lao}\p{sc=Khmer}\p{sc=Myanmar}`;
/** Each of these is a word of its own; Hangul too, since particles are written onto words, and pictures. */
const SINGLE = String.raw`${UNSPACED}\p{sc=Hangul}\p{So}`;
const WORD = String.raw`[[\p{L}\p{N}\p{M}]--[${SINGLE}]]`;

const token = once(() => new RegExp(`${WORD}+|.`, 'gsv'));
const startOfWord = once(() => new RegExp(`^${WORD}`, 'v'));
const startOfSingle = once(() => new RegExp(`^[${SINGLE}]`, 'v'));
const needlessBlank = once(() => new RegExp(`(?<=[${UNSPACED}]) | (?=[${UNSPACED}])`, 'gv'));

/** Words whole, every other character alone, one blank for what separates words. */
function tokensOf(folded: string): readonly string[] {
  return folded.match(token()) ?? [];
}

/** Folds differences of form: case, accents, widths. */
export function fold(text: string): string {
  const isPlain = /^[\0-\x7F]*$/.test(text);
  const alike = isPlain ? text.toLowerCase() : foldUnicode(text);
  const spaced = alike.replaceAll(isPlain ? /[\s_-]+/g : /[\s_\p{Pd}]+/gu, ' ').trim();
  return isPlain ? spaced : spaced.replaceAll(needlessBlank(), '');
}

function foldUnicode(text: string): string {
  return decompose(text)
    .replaceAll(/[\u0300-\u036F\p{Default_Ignorable_Code_Point}]+/gu, '')
    .normalize('NFC')
    .toUpperCase()
    .toLowerCase()
    .replaceAll('ς', 'σ')
    .replaceAll(/[‘’ʼ]/g, "'");
}

/** A phrase that begins with a sign is not the end of a word: `.net` is not in "asp.net", `++` not in "c++". */
function isFreeBefore(tokens: readonly string[], at: number): boolean {
  const [before, first] = [tokens[at - 1], tokens[at]];
  return isWord(first) || isSingle(first) || !(isWord(before) || (isBinding(first) && isBinding(before)));
}

/** `c` is not in "c++" or "c#", but in "c+d" and "c#1"; `c++` is in "c++17" and "c++/rust", but not in "c++x". */
function isFreeAfter(tokens: readonly string[], end: number): boolean {
  const [last, next] = [tokens[end], tokens[end + 1]];
  if (isSingle(last)) return true;
  if (isWord(last)) return !isBinding(next) || isWord(tokens[end + 2]);
  return isWord(next) ? /^\p{N}/u.test(next ?? '') : !(isBinding(last) && isBinding(next));
}

/** Signs that make another word of the one they stand behind. */
function isBinding(token: string | undefined): boolean {
  return token === '+' || token === '#';
}

function isWord(text: string | undefined): boolean {
  return text !== undefined && startOfWord().test(text);
}

function isSingle(text: string | undefined): boolean {
  return text !== undefined && startOfSingle().test(text);
}
