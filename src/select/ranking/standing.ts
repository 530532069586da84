import { isAscii, tokensOf } from '../index/words.ts';

/** How a word stands in a request: a sign of whether it tells the task or the topic. */
export interface WordStanding {
  /** It opens a sentence, or comes after "to", "please", "you" and the like: mostly a verb that says what to do. */
  readonly isAskedFor: boolean;
  /** It comes after an article or a possessive. */
  readonly isNamed: boolean;
}

/** How each word stands where it comes first, by its token. */
export function standingsOf(request: string): ReadonlyMap<string, WordStanding> {
  const standings = new Map<string, WordStanding>();
  let before = '';
  let end = 0;
  for (const match of request.matchAll(isAscii(request) ? /[A-Za-z0-9]+/g : /[\p{L}\p{N}]+/gu)) {
    const [word] = match;
    const isStart = before === '' || /[.!?:;\n]/.test(request.slice(end, match.index));
    const lower = word.toLowerCase();
    const standing = {
      isAskedFor: isStart || ASKING.has(before),
      isNamed: !isStart && NAMING.has(before),
    };
    const tokens = /^(?:[a-z0-9]+|[A-Z][a-z0-9]*|[A-Z]+)$/.test(word) ? [lower] : tokensOf(word);
    for (const token of tokens) if (!standings.has(token)) standings.set(token, standing);
    before = lower;
    end = match.index + word.length;
  }
  return standings;
}

const ASKING: ReadonlySet<string> = new Set(['to', 'please', 'you', 'me', 'must', 'should', 'lets']);
const NAMING: ReadonlySet<string> = new Set('a an the my our your this these that its their'.split(' '));
