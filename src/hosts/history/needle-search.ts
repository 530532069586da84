import { compileNeedles, isAt, type FindAny } from './find-any.ts';
import type { Needle } from './host-history.ts';
import type { FoundLine } from './scan-lines.ts';

/** Finds lines by needles. */
export interface NeedleSearch {
  readonly find: FindAny;
  /** Has the line with a needle at `hit` the other text that the needle needs? True if nothing more is needed, or no needle is there. */
  isWanted(bytes: Uint8Array, line: FoundLine): boolean;
}

/** Decides by the bytes: most lines with a needle that needs another text lack that, and are never decoded. */
export function openNeedleSearch(needles: readonly Needle[]): NeedleSearch {
  const compiled = needles.map(({ text, with: others }) => ({
    text: Buffer.from(text),
    findOther: others === undefined ? undefined : compileNeedles(others),
  }));
  return {
    find: compileNeedles(needles.map(({ text }) => text)),
    isWanted(bytes, { first, stop, hit }) {
      let isNeedle = false;
      for (const { text, findOther } of compiled) {
        if (!isAt(bytes, hit, text)) continue;
        if (findOther === undefined || findOther(bytes, first, stop) !== -1) return true;
        isNeedle = true;
      }
      return !isNeedle;
    },
  };
}
