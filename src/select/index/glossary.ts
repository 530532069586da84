/** Translates the Chinese words of a text, so that skills and requests in Chinese and in English meet. */
export interface Glossary {
  /** The English meanings of the Chinese words of a text; empty if it has none. */
  glossesOf(text: string): string;
}

/** Translates nothing. */
export const NO_GLOSSARY: Glossary = { glossesOf: () => '' };

const LONGEST_WORD = 6;
const SHORTEST_WORD = 2;

/** A glossary from a text with a word and its meanings on each line; it is read when Chinese is met. */
export function openGlossary(read: () => string): Glossary {
  let words: Words | undefined;
  return {
    glossesOf(text) {
      if (!HAN.test(text)) return '';
      words ??= parseGlossary(read());
      const glosses: string[] = [];
      for (const [run] of text.matchAll(RUNS_OF_HAN)) translate(run, words, glosses);
      return glosses.join('\n');
    },
  };
}

const HAN = /[\u3400-\u9fff]/;
const RUNS_OF_HAN = /[\u3400-\u9fff]+/g;

interface Words {
  readonly meanings: ReadonlyMap<string, string>;
  /** For each first character, the length of the longest word. */
  readonly lengths: Uint8Array;
}

function parseGlossary(text: string): Words {
  const meanings = new Map<string, string>();
  const lengths = new Uint8Array(2 ** 16);
  for (const line of text.split('\n')) {
    const blank = line.indexOf(' ');
    if (blank <= 0 || line.startsWith('#')) continue;
    const word = line.slice(0, blank);
    const first = word.charCodeAt(0);
    meanings.set(word, line.slice(blank + 1));
    lengths[first] = Math.max(lengths[first] ?? 0, Math.min(LONGEST_WORD, word.length));
  }
  return { meanings, lengths };
}

/** From left to right, always the longest word that is known. */
function translate(run: string, { meanings, lengths }: Words, glosses: string[]): void {
  for (let at = 0; at < run.length;) {
    let length = Math.min(lengths[run.charCodeAt(at)] ?? 0, run.length - at);
    while (length >= SHORTEST_WORD && !meanings.has(run.slice(at, at + length))) length -= 1;
    const meaning = length < SHORTEST_WORD ? undefined : meanings.get(run.slice(at, at + length));
    if (meaning !== undefined) glosses.push(meaning);
    at += Math.max(1, length);
  }
}
