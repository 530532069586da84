import { isHonest, MAY_BE_UNSEEN, UNSEEN } from '../../../src/model/unseen.ts';

const EACH = new RegExp(`[${UNSEEN}]`, 'gv');

/** Text of a skill as it may be shown: characters that a reader would not see, or that turn text around, are spelled out. */
export function visible(text: string): string {
  if (!MAY_BE_UNSEEN.test(text) && !CONTROLS.test(text)) return text;
  return text.replaceAll(EACH, (character, offset: number) =>
    character === '\n' || character === '\t' || isHonest(text, offset)
      ? character
      : `\\u{${(character.codePointAt(0) ?? 0).toString(16)}}`,
  );
}

const CONTROLS = /[\0-\x08\x0b-\x1f\x7f]|[\uD800-\uDFFF]/;
