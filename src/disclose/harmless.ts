/**
 * What a person does not see and a model does: control characters, text direction, tags, zero width, selectors and
 * fillers, separators of lines, halves of surrogate pairs.
 */
const UNSEEN = String.raw`[\p{Cc}\p{Cs}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}\uFFF9-\uFFFB]`;
const UNSEEN_RUN = new RegExp(`${UNSEEN}+`, 'gu');
/** The same in a text of several lines. */
const UNSEEN_RUN_IN_BLOCK = new RegExp(String.raw`(?:(?![\n\t])${UNSEEN})+`, 'gu');
/** Blanks that are not a single one. */
const WIDE_BLANK = /[^\S ][\s\x85]*|\x85[\s\x85]*| [\s\x85]+/g;
const BEYOND_ASCII = /[^\x20-\x7e]/;

/** How the spelling of a character begins; text that has it already is spelled out, too. */
const SPELLED = '\\u{';

/** Stands for hidden characters, however many: they leave a trace and carry no message. */
const TRACE = '\uFFFD';

/** Prose of a skill as one line in which nothing is hidden: no line break, no padding, no invisible characters. */
export function harmlessLine(text: string): string {
  if (!BEYOND_ASCII.test(text) && !text.includes('  ')) return text.trim();
  return replaceUnseen(text.replaceAll(WIDE_BLANK, ' ').trim(), UNSEEN_RUN, () => TRACE);
}

/** The same for a text that keeps its lines. */
export function harmlessBlock(text: string): string {
  return replaceUnseen(text.replaceAll(/\r\n?/g, '\n'), UNSEEN_RUN_IN_BLOCK, () => TRACE);
}

/** A name or a path, of which every character counts: the hidden ones become visible as `\u{…}`, each on its own. */
export function visibleText(text: string): string {
  if (!BEYOND_ASCII.test(text) && !text.includes(SPELLED)) return text;
  const unspelled = text.replaceAll(SPELLED, spell('\\') + SPELLED.slice(1));
  return replaceUnseen(unspelled, UNSEEN_RUN, (run) => Array.from(run, spell).join(''));
}

/** The same spelling for characters that mean something where the text is put. */
export function spellOut(text: string, characters: RegExp): string {
  return text.replaceAll(characters, spell);
}

function spell(character: string): string {
  return `${SPELLED}${(character.codePointAt(0) ?? 0).toString(16)}}`;
}

function replaceUnseen(text: string, runs: RegExp, replace: (run: string) => string): string {
  return text.replaceAll(runs, (run, at: number) => (isHonest(run, text[at - 1]) ? run : replace(run)));
}

/** Emoji and several scripts need a single joiner or selector after a character beyond ASCII, digits a selector. */
function isHonest(run: string, before = ' '): boolean {
  if (run === '\uFE0F' || run === '\uFE0E') return before !== ' ';
  return /^\uFE0F?[\u200C\u200D]$/.test(run) && before > '\x7f';
}
