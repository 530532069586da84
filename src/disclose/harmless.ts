import { once } from '../model/once.ts';
import { isHonest, UNSEEN } from '../model/unseen.ts';

const hidden = once(() => new RegExp(`[${UNSEEN}]`, 'gv'));
/** As above, but line breaks and tabs are allowed. */
const hiddenInBlock = once(() => new RegExp(`[[${UNSEEN}]--[\\t\\n]]`, 'gv'));
/** Any white space but a single blank. */
const WIDE_BLANK = /[^\S ][\s\x85]*|\x85[\s\x85]*| [\s\x85]+/g;
const BEYOND_ASCII = /[^\x20-\x7e]/;

/** Begins a spelled-out character. Text that contains it already is spelled out too. */
const SPELLED = '\\u{';

/** Replaces any run of hidden characters: it leaves a trace but carries no message. */
const TRACE = '\uFFFD';
const TRACES = /\uFFFD+/g;

/** Turns prose of a skill into one line without padding or hidden characters. */
export function harmlessLine(text: string): string {
  if (!BEYOND_ASCII.test(text) && !text.includes('  ')) return text.trim();
  return leaveTrace(text.replaceAll(WIDE_BLANK, ' ').trim(), hidden());
}

/** Removes hidden characters from a text that keeps its lines. */
export function harmlessBlock(text: string): string {
  return leaveTrace(text.replaceAll(/\r\n?/g, '\n'), hiddenInBlock());
}

/** Makes each hidden character of a name or path visible as `\u{…}`, so that different names stay different. */
export function visibleText(text: string): string {
  if (!BEYOND_ASCII.test(text) && !text.includes(SPELLED)) return text;
  const unspelled = text.replaceAll(SPELLED, spell('\\') + SPELLED.slice(1));
  return replaceHidden(unspelled, hidden(), spell);
}

/** Spells out characters that would have a meaning where the text is put. */
export function spellOut(text: string, characters: RegExp): string {
  return text.replaceAll(characters, spell);
}

function spell(character: string): string {
  return `${SPELLED}${(character.codePointAt(0) ?? 0).toString(16)}}`;
}

/**
 * Finds each `<` that opens or closes one of these elements. Traces of hidden characters between the characters of the
 * tag do not matter: a model reads across them.
 */
export function tagStart(names: readonly string[]): RegExp {
  const spelled = names.map((name) => name.split('').join(`${TRACE}*`)).join('|');
  return new RegExp(String.raw`<(?=[\s${TRACE}]*(?:/[\s${TRACE}]*)?(?:${spelled})(?![a-z0-9]))`, 'gi');
}

/** A run of hidden characters leaves one mark: their number could carry a message. */
function leaveTrace(text: string, characters: RegExp): string {
  const replaced = replaceHidden(text, characters, () => TRACE);
  return replaced === text ? text : replaced.replaceAll(TRACES, TRACE);
}

function replaceHidden(text: string, characters: RegExp, replace: (character: string) => string): string {
  return text.replaceAll(characters, (character, at: number) => (isHonest(text, at) ? character : replace(character)));
}
