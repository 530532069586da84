/** Translates the Chinese words of a text, so that skills and requests in Chinese and in English meet. */
export interface Glossary {
  /** The English meanings of the Chinese words of a text, in their order. */
  glossesOf(text: string): readonly string[];
}

/** Translates nothing. */
export const NO_GLOSSARY: Glossary = { glossesOf: () => [] };

const LONGEST_WORD = 6;
const SHORTEST_WORD = 2;

/** A glossary from a text with a word and its meanings on each line; it is read when Chinese is met. */
export function openGlossary(read: () => string): Glossary {
  let words: Words | undefined;
  return {
    glossesOf(text) {
      if (!HAN.test(text)) return [];
      words ??= parseGlossary(read());
      return translate(text, words);
    },
  };
}

const HAN = /[\u3400-\u9fff]/;

interface Words {
  readonly meanings: ReadonlyMap<string, string>;
  /** For each two first characters, the length of the longest word. */
  readonly lengths: ReadonlyMap<number, number>;
}

function parseGlossary(text: string): Words {
  const meanings = new Map<string, string>();
  const lengths = new Map<number, number>();
  for (const line of text.split('\n')) {
    const blank = line.indexOf(' ');
    if (blank < SHORTEST_WORD || line.startsWith('#')) continue;
    const word = line.slice(0, blank);
    const beginning = beginningAt(word, 0);
    meanings.set(word, line.slice(blank + 1));
    lengths.set(beginning, Math.max(lengths.get(beginning) ?? 0, Math.min(LONGEST_WORD, word.length)));
  }
  return { meanings, lengths };
}

/** From left to right, always the longest word that is known. */
function translate(text: string, { meanings, lengths }: Words): readonly string[] {
  const glosses: string[] = [];
  for (let at = 0; at + 1 < text.length;) {
    let length = isHan(text.charCodeAt(at)) ? (lengths.get(beginningAt(text, at)) ?? 0) : 0;
    let meaning: string | undefined;
    for (; length >= SHORTEST_WORD; length -= 1) {
      meaning = meanings.get(text.slice(at, at + length));
      if (meaning !== undefined) break;
    }
    if (meaning !== undefined) glosses.push(meaning);
    at += Math.max(1, length);
  }
  return glosses;
}

function beginningAt(text: string, at: number): number {
  return text.charCodeAt(at) * 2 ** 16 + text.charCodeAt(at + 1);
}

function isHan(unit: number): boolean {
  return unit >= 0x3400 && unit <= 0x9fff;
}
