/** Shorter words have too many neighbours to guess by; longer ones and those with digits are seldom words. */
const MIN_LENGTH = 4;
const MAX_LENGTH = 24;

/** The words one may be guessed to have meant, a line each, sorted. */
export function buildLexicon(words: Iterable<string>): string {
  const guessable = [...words].filter(
    (word) => word.length >= MIN_LENGTH && word.length <= MAX_LENGTH && /^\p{L}+$/u.test(word),
  );
  return guessable
    .sort()
    .map((word) => `${word}\n`)
    .join('');
}

/** The word of the lexicons that an unknown one was most probably meant as: one that begins so, or one slip away. */
export function guessWord(
  lexicons: readonly string[],
  word: string,
  countOf: (known: string) => number,
): string | undefined {
  if (word.length < MIN_LENGTH) return undefined;
  const [alike = [], ...more] = lexicons.map((lexicon) => wordsBeginningWith(lexicon, word.slice(0, 2)));
  return chooseWord(more.length === 0 ? alike : [...new Set([...alike, ...more.flat()])].sort(), word, countOf);
}

function chooseWord(alike: readonly string[], word: string, countOf: (known: string) => number): string | undefined {
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
  const from = findLine(lexicon, (line) => line >= beginning);
  const to = findLine(lexicon, (line) => line > beginning && !line.startsWith(beginning));
  return lexicon.slice(from, to).split('\n').slice(0, -1);
}

/** Where the first line begins that fulfils `isReached`, which once true stays true; the end where none does. */
function findLine(lexicon: string, isReached: (line: string) => boolean): number {
  let low = 0;
  let high = lexicon.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    const start = lexicon.lastIndexOf('\n', middle - 1) + 1;
    const end = lexicon.indexOf('\n', start);
    if (isReached(lexicon.slice(start, end))) high = start;
    else low = end + 1;
  }
  return low;
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
