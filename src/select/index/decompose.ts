import { MAX_MESSAGE_LENGTH } from '../../model/limits.ts';

/**
 * Two Arabic characters expand to whole sentences of up to 18 letters, so that a message of them would exceed its
 * limit.
 */
const SENTENCES = /[\uFDFA\uFDFB]+/g;
/** Hangul grows threefold; other signs, up to sevenfold. */
const MAX_LENGTH: number = 2 * MAX_MESSAGE_LENGTH;

/** Decomposes characters (NFKD): accents, ligatures and widths. The result is bounded for any message. */
export function decompose(text: string): string {
  return text.replaceAll(SENTENCES, ' ').normalize('NFKD').slice(0, MAX_LENGTH);
}
