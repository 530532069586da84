import { isAscii, tokensOf } from '../index/words.ts';
import { EMPHASIS_WEIGHTS } from './learned-weights.ts';

/** A word of a request, as the request and the index describe it. */
export interface WordTraits extends WordStanding {
  readonly rarity: number;
  /** Its place among the request's words, from 0, and their number. */
  readonly position: number;
  readonly count: number;
  readonly isInLastSentence: boolean;
  readonly hasDigit: boolean;
  readonly length: number;
  /** How often the request says it. */
  readonly times: number;
  /** In how many skills the word is: anywhere, in its name, description or tags, in its name. */
  readonly holders: number;
  readonly metadataHolders: number;
  readonly nameHolders: number;
}

/** One number for each of `EMPHASIS_WEIGHTS`. */
export function measureTraits(traits: WordTraits): readonly number[] {
  const { rarity, position, count, holders, metadataHolders, nameHolders } = traits;
  return [
    rarity,
    Math.log(1 + position),
    position / Math.max(1, count - 1),
    Number(traits.isInLastSentence),
    Number(traits.hasDigit),
    Math.log((metadataHolders + 1) / (holders + 2)),
    Math.log(1 + nameHolders),
    Math.log(traits.times),
    Number(position === 0),
    Math.min(20, traits.length),
    Number(traits.isAskedFor),
    Number(traits.isNamed),
  ];
}

/**
 * How much a word says about the task of a request. It adds to rarity, which alone lets a rare word of the topic beat the
 * words of the task.
 */
export function emphasisOf(traits: WordTraits): number {
  const measured = measureTraits(traits);
  let sum = 0;
  for (const [at, { weight }] of EMPHASIS_WEIGHTS.entries()) sum += weight * (measured[at] ?? 0);
  return traits.rarity * Math.exp(Math.max(-8, Math.min(8, sum)));
}

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
