/** Shorter words have too many neighbours to guess by; longer ones and those with digits are seldom words. */
const MIN_LENGTH = 4;
const MAX_LENGTH = 24;

/** The words that an unknown one may be guessed to mean, sorted, each behind the end of a line. */
export function buildLexicon(words: readonly string[]): string {
  const guessable = words.filter(
    (word) => word.length >= MIN_LENGTH && word.length <= MAX_LENGTH && /^\p{L}+$/u.test(word),
  );
  return [...new Set(guessable)]
    .sort()
    .map((word) => `\n${word}`)
    .join('');
}

export function listLexicon(lexicon: string): readonly string[] {
  return lexicon.split('\n').slice(1);
}

/** The word of the lexicon that an unknown one was most probably meant as: one that begins so, or one slip away. */
export function guessWord(lexicon: string, word: string, countOf: (known: string) => number): string | undefined {
  if (word.length < MIN_LENGTH) return undefined;
  const alike = wordsBeginningWith(lexicon, word.slice(0, 2));
  const begun = alike.filter((known) => known.startsWith(word));
  return (
    commonest(begun, countOf) ??
    commonest(
      alike.filter((known) => isOneSlipAway(word, known)),
      countOf,
    )
  );
}

function commonest(words: readonly string[], countOf: (known: string) => number): string | undefined {
  let best: string | undefined;
  let most = 0;
  for (const word of words) {
    const count = countOf(word);
    if (count > most) [best, most] = [word, count];
  }
  return best;
}

function wordsBeginningWith(lexicon: string, beginning: string): readonly string[] {
  const words: string[] = [];
  let start = lexicon.indexOf(`\n${beginning}`) + 1;
  while (start > 0 && lexicon.startsWith(beginning, start)) {
    const end = lexicon.indexOf('\n', start);
    words.push(lexicon.slice(start, end === -1 ? undefined : end));
    start = end + 1;
  }
  return words;
}

/** One extra, missing or wrong letter, or two swapped ones. */
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
