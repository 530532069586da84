import { isHonest, UNSEEN } from '../../../src/model/unseen.ts';

const UNSEEN_CHARACTER = new RegExp(`[[${UNSEEN}]--[\\t\\n]]`, 'gv');

/** Text of a skill as it may be shown: characters that a reader would not see, or that turn text around, are spelled out. */
export function visible(text: string): string {
  return text.replaceAll(UNSEEN_CHARACTER, (character, offset: number) =>
    isHonest(text, offset) ? character : `\\u{${(character.codePointAt(0) ?? 0).toString(16)}}`,
  );
}
