/** Finds the word that somebody meant by one that no document has. */
export interface SpellingGuide {
  /** The number of the closest known word; undefined where none is close. */
  guess(word: string): number | undefined;
}

/** Shorter words have too many neighbours to guess by. */
const MIN_LENGTH = 4;

/** Guesses among the known words (by number, with how many documents have each): a word begun, or one slip away. */
export function openSpellingGuide(
  vocabulary: ReadonlyMap<string, number>,
  counts: (id: number) => number,
): SpellingGuide {
  const byBeginning = new Map<string, string[]>();
  for (const word of vocabulary.keys()) {
    if (word.length < MIN_LENGTH) continue;
    const beginning = word.slice(0, 2);
    const words = byBeginning.get(beginning);
    if (words === undefined) byBeginning.set(beginning, [word]);
    else words.push(word);
  }
  const commonest = (words: readonly string[]): number | undefined => {
    const ids = words.map((word) => vocabulary.get(word) ?? 0);
    return ids.length === 0 ? undefined : ids.reduce((best, id) => (counts(id) > counts(best) ? id : best));
  };
  return {
    guess(word) {
      if (word.length < MIN_LENGTH) return undefined;
      const alike = byBeginning.get(word.slice(0, 2)) ?? [];
      const begun = commonest(alike.filter((known) => known.startsWith(word)));
      return begun ?? commonest(alike.filter((known) => isOneSlipAway(word, known)));
    },
  };
}

/** One letter too many, too few, wrong, or two in the wrong order. */
export function isOneSlipAway(a: string, b: string): boolean {
  if (a === b || Math.abs(a.length - b.length) > 1) return false;
  let at = 0;
  while (at < a.length && a[at] === b[at]) at += 1;
  const [restA, restB] = [a.slice(at), b.slice(at)];
  return (
    restA.slice(1) === restB.slice(1) ||
    restA.slice(1) === restB ||
    restA === restB.slice(1) ||
    (restA[0] === restB[1] && restA[1] === restB[0] && restA.slice(2) === restB.slice(2))
  );
}
