/**
 * Characters that a model reads and a person does not see: controls, text direction, tags, zero width, selectors,
 * fillers, line separators, unpaired surrogates.
 */
const UNSEEN = String.raw`[\p{Cc}\p{Cs}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}\uFFF9-\uFFFB]`;
const UNSEEN_RUN = new RegExp(`${UNSEEN}+`, 'gu');
/** As above, but line breaks and tabs are allowed. */
const UNSEEN_RUN_IN_BLOCK = new RegExp(String.raw`(?:(?![\n\t])${UNSEEN})+`, 'gu');
/** Any white space but a single blank. */
const WIDE_BLANK = /[^\S ][\s\x85]*|\x85[\s\x85]*| [\s\x85]+/g;
const BEYOND_ASCII = /[^\x20-\x7e]/;

/** Begins a spelled-out character. Text that contains it already is spelled out too. */
const SPELLED = '\\u{';

/** Replaces any run of hidden characters: it leaves a trace but carries no message. */
const TRACE = '\uFFFD';

/** Turns prose of a skill into one line without padding or hidden characters. */
export function harmlessLine(text: string): string {
  if (!BEYOND_ASCII.test(text) && !text.includes('  ')) return text.trim();
  return replaceUnseen(text.replaceAll(WIDE_BLANK, ' ').trim(), UNSEEN_RUN, () => TRACE);
}

/** Removes hidden characters from a text that keeps its lines. */
export function harmlessBlock(text: string): string {
  return replaceUnseen(text.replaceAll(/\r\n?/g, '\n'), UNSEEN_RUN_IN_BLOCK, () => TRACE);
}

/** Makes each hidden character of a name or path visible as `\u{…}`, so that different names stay different. */
export function visibleText(text: string): string {
  if (!BEYOND_ASCII.test(text) && !text.includes(SPELLED)) return text;
  const unspelled = text.replaceAll(SPELLED, spell('\\') + SPELLED.slice(1));
  return replaceUnseen(unspelled, UNSEEN_RUN, (run) => Array.from(run, spell).join(''));
}

/** Spells out characters that would have a meaning where the text is put. */
export function spellOut(text: string, characters: RegExp): string {
  return text.replaceAll(characters, spell);
}

function spell(character: string): string {
  return `${SPELLED}${(character.codePointAt(0) ?? 0).toString(16)}}`;
}

function replaceUnseen(text: string, runs: RegExp, replace: (run: string) => string): string {
  return text.replaceAll(runs, (run, at: number) => (isHonest(run, text[at - 1]) ? run : replace(run)));
}

/** Emoji and several scripts need a single joiner or selector after a non-ASCII character, digits a selector. */
function isHonest(run: string, before = ' '): boolean {
  if (run === '\uFE0F' || run === '\uFE0E') return before !== ' ';
  return /^\uFE0F?[\u200C\u200D]$/.test(run) && before > '\x7f';
}
