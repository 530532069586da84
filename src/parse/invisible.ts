import { once } from '../model/once.ts';
import { isHonest, UNSEEN } from '../model/unseen.ts';
import { countLines } from './frontmatter.ts';

export type InvisibleKind = 'control' | 'tag' | 'bidi' | 'selector' | 'blank' | 'zero-width';

/** A character that a reader cannot see but a model can. `offset` counts UTF-16 units, as JavaScript does. */
export interface InvisibleCharacter {
  readonly kind: InvisibleKind;
  readonly codePoint: string;
  readonly offset: number;
  readonly line: number;
}

const invisible = once(() => new RegExp(`[[${UNSEEN}]--[\\t\\n\\r]]`, 'gv'));

/**
 * The first `limit` characters that a reader cannot see and that do not belong to ordinary writing: emoji and the scripts
 * that need joiners keep theirs.
 */
export function findInvisible(text: string, limit = 5): readonly InvisibleCharacter[] {
  const found: InvisibleCharacter[] = [];
  for (const { 0: character, index: offset } of text.matchAll(invisible())) {
    if (found.length === limit) break;
    if (isHonest(text, offset)) continue;
    found.push({
      kind: kindOf(character),
      codePoint: `U+${(character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')}`,
      offset,
      line: countLines(text.slice(0, offset)) + 1,
    });
  }
  return found;
}

function kindOf(character: string): InvisibleKind {
  if (/[\p{Cc}\p{Cs}]/u.test(character)) return 'control';
  if (/[\u{E0000}-\u{E007F}]/u.test(character)) return 'tag';
  if (/\p{Variation_Selector}/u.test(character)) return 'selector';
  if (/\p{Bidi_Control}|[\u206A-\u206F]/u.test(character)) return 'bidi';
  const isBlank = /[\u115F\u1160\u2800\u3164\uFFA0\u{13441}\u{13442}\u{16FE4}\u{1D159}]/u.test(character);
  return isBlank ? 'blank' : 'zero-width';
}
