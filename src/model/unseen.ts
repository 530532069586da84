import { once } from './once.ts';

/**
 * Characters that a model reads and a person does not see, as the inside of a class for a pattern with the flag `v`:
 * controls, unpaired surrogates, separators of lines, whatever Unicode lets programs ignore (direction, tags, zero width,
 * selectors, fillers), annotations, layout of hieroglyphs, characters without a glyph or with a blank one, noncharacters.
 */
export const UNSEEN: string = String.raw`\p{Cc}\p{Cs}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}\p{Noncharacter_Code_Point}\uFFF9-\uFFFB\u2800\u{13430}-\u{13442}\u{16FE4}\u{1D159}`;

/**
 * Is an invisible character part of ordinary writing? One selector after an emoji, a joiner between emoji or in a
 * script that uses it, the tags of a flag, blank Braille next to Braille. `offset` is the character's.
 */
export function isHonest(text: string, offset: number): boolean {
  const unit = text[offset] ?? '';
  if (unit === '\uFE0F' || unit === '\uFE0E') return isSelectorInPlace(text, offset);
  if (unit === '\u200D' || unit === '\u200C') return isJoinerInPlace(text, offset);
  if (unit >= '\u180B' && unit <= '\u180F') return mongolian().test(text.slice(Math.max(0, offset - 2), offset));
  if (unit === '\u2800') return isBesideBraille(text, offset);
  return unit === '\uDB40' && isInFlag(text, offset);
}

const emojiBefore = once(() => /\p{Extended_Pictographic}\p{Emoji_Modifier}?$/v);
const emojiBeforeJoiner = once(() => /\p{Extended_Pictographic}\p{Emoji_Modifier}?[\uFE0E\uFE0F]?$/v);
const emoji = once(() => /^\p{Extended_Pictographic}/v);
/** Scripts whose spelling needs joiners. */
const joinedScript = once(
  () =>
    /[[\p{sc=Arab}\p{sc=Syrc}\p{sc=Deva}\p{sc=Beng}\p{sc=Guru}\p{sc=Gujr}\p{sc=Orya}\p{sc=Taml}\p{sc=Telu}\p{sc=Knda}\p{sc=Mlym}\p{sc=Sinh}\p{sc=Khmr}\p{sc=Mymr}\p{sc=Mong}]--\p{Default_Ignorable_Code_Point}]$/v,
);
const mongolian = once(() => /[\p{sc=Mong}--\p{Default_Ignorable_Code_Point}]$/v);
/** An emoji, a modifier and a selector have at most this many units. */
const EMOJI_UNITS = 5;

function isSelectorInPlace(text: string, offset: number): boolean {
  if (emojiBefore().test(text.slice(Math.max(0, offset - EMOJI_UNITS), offset))) return true;
  return /^[#*0-9]\uFE0F\u20E3$/.test(text.slice(Math.max(0, offset - 1), offset + 2));
}

function isJoinerInPlace(text: string, offset: number): boolean {
  const before = text.slice(Math.max(0, offset - EMOJI_UNITS), offset);
  if (joinedScript().test(before)) return true;
  if (text[offset] === '\u200C') return false;
  return emojiBeforeJoiner().test(before) && emoji().test(text.slice(offset + 1, offset + 3));
}

/** Pictures and text in Braille have blanks. */
const BRAILLE_REACH = 200;

function isBesideBraille(text: string, offset: number): boolean {
  const before = text.slice(Math.max(0, offset - BRAILLE_REACH), offset);
  return (
    /[\u2801-\u28FF]\u2800*$/.test(before) || /^\u2800+[\u2801-\u28FF]/.test(text.slice(offset, offset + BRAILLE_REACH))
  );
}

/** England, Scotland and Wales: the only flags of this kind in general use. Others could spell any word. */
const flag = once(() => /\p{RGI_Emoji_Tag_Sequence}/gv);
const FLAG_UNITS = 14;

function isInFlag(text: string, offset: number): boolean {
  const start = text.lastIndexOf('\u{1F3F4}', offset);
  if (start === -1 || offset - start >= FLAG_UNITS) return false;
  for (const match of text.slice(start, start + FLAG_UNITS).matchAll(flag()))
    if (match.index === 0 && start + match[0].length > offset) return true;
  return false;
}
