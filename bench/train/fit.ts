import type { Example } from './examples.ts';
import { EMPHASIS_PARTS, FIXED_PARTS } from './examples.ts';

/** A request to learn from. */
export interface Lesson {
  readonly example: Example;
  /** The candidates that serve the request; for a request that must not start a skill, that skill. */
  readonly marked: ReadonlySet<number>;
  readonly isNegative: boolean;
  /** Folds by skill and by repository. */
  readonly skill: string;
  readonly repository: string;
}

/**
 * The learned numbers: the weights of the fixed parts and of the parts that depend on emphasis, as numbers that `softplus`
 * makes positive, then the weights of traits, which may be negative.
 */
export type Weights = Float64Array;

export interface FitOptions {
  readonly lessons: readonly Lesson[];
  /** Candidates that take part; the others are as if they did not exist. */
  readonly isSeen?: (document: number) => boolean;
  /** Weights that are set and not learned, by their position. */
  readonly fixed?: ReadonlyMap<number, number>;
}

/** In the order of `measureTraits`. */
export const TRAIT_NAMES = [
  'rarity',
  'how late it comes',
  'how near the end',
  'in the last sentence',
  'has a digit',
  'how often it is in metadata',
  'how many names have it',
  'how often it is said',
  'comes first',
  'length',
  'says what to do',
  'after an article',
] as const;
const TRAITS = TRAIT_NAMES.length;
const FIXED = FIXED_PARTS.length;
const EMPHASIS = EMPHASIS_PARTS.length;
export const SIZE: number = FIXED + EMPHASIS + TRAITS;

const EPOCHS = 32;
/** The weights are the mean of these last epochs, which depends less on the order of the lessons. */
const AVERAGED = 12;
const BATCH = 64;
/** A request that must not start a skill counts as much as so many others: there are few of them. */
const NEGATIVE_WORTH = 3;
const RATE = 0.04;
const PULL = { parts: 0.0002, traits: 0.004 };

/** Learns by Adam to put the right candidates first (softmax over all candidates of a request). Same input, same weights. */
export function fit({ lessons, isSeen = () => true, fixed = new Map() }: FitOptions): Weights {
  const weights = new Float64Array(SIZE).fill(toRaw(1), 0, FIXED + EMPHASIS);
  for (const [at, value] of fixed) weights[at] = toRaw(value);
  const [first, second] = [new Float64Array(SIZE), new Float64Array(SIZE)];
  const random = openRandom(20_261_116);
  const order = lessons.map((_, at) => at);
  const sums = new Float64Array(SIZE);
  const meanWorth = lessons.reduce((sum, lesson) => sum + worthOf(lesson), 0) / lessons.length;
  let step = 0;
  for (let epoch = 0; epoch < EPOCHS; epoch += 1) {
    shuffle(order, random);
    const rate = RATE * (1 - (0.95 * epoch) / EPOCHS);
    for (let from = 0; from < order.length; from += BATCH) {
      const batch = order.slice(from, from + BATCH).flatMap((at) => lessons[at] ?? []);
      const gradient = new Float64Array(SIZE);
      const learning = { ...prepare(weights), gradient, isSeen };
      for (const lesson of batch) addGradient(lesson, { ...learning, worth: worthOf(lesson) / meanWorth });
      step += 1;
      for (let at = 0; at < SIZE; at += 1) {
        if (fixed.has(at)) continue;
        const own = weights[at] ?? 0;
        const pull = at < FIXED + EMPHASIS ? PULL.parts * softplus(own) * slope(own) : PULL.traits * own;
        const slopeHere = (gradient[at] ?? 0) / batch.length + pull;
        first[at] = 0.9 * (first[at] ?? 0) + 0.1 * slopeHere;
        second[at] = 0.999 * (second[at] ?? 0) + 0.001 * slopeHere * slopeHere;
        const size = Math.sqrt((second[at] ?? 0) / (1 - 0.999 ** step)) + 1e-8;
        weights[at] = own - (rate * (first[at] ?? 0)) / (1 - 0.9 ** step) / size;
      }
      if (epoch >= EPOCHS - AVERAGED) for (const [at, weight] of weights.entries()) add(sums, at, weight);
    }
  }
  return sums.map((sum) => sum / AVERAGED / Math.ceil(order.length / BATCH));
}

function worthOf({ isNegative }: Lesson): number {
  return isNegative ? NEGATIVE_WORTH : 1;
}

/** Weights with what is needed of them again and again. */
interface Prepared {
  /** As they are used: parts are positive. */
  readonly used: Float64Array;
  /** How much the used ones change with them. */
  readonly slopes: Float64Array;
}

function prepare(weights: Weights): Prepared {
  const isPart = (at: number): boolean => at < FIXED + EMPHASIS;
  const used = weights.map((weight, at) => (isPart(at) ? signOf(at) * softplus(weight) : weight));
  return { used, slopes: weights.map((weight, at) => (isPart(at) ? signOf(at) * slope(weight) : 1)) };
}

/** The candidates of an example, best first. */
export function rank(example: Example, weights: Weights): readonly number[] {
  const { scores } = score(example, prepare(weights).used);
  const order = [...scores.keys()].sort((a, b) => (scores[b] ?? 0) - (scores[a] ?? 0) || a - b);
  return order.flatMap((at) => example.documents[at] ?? []);
}

/** The weights as they are used: parts are positive. */
export function toUsed(weights: Weights): readonly number[] {
  return Array.from(weights, (weight, at) => (at < FIXED + EMPHASIS ? softplus(weight) : weight));
}

interface Scored {
  readonly scores: Float64Array;
  /** For each candidate, its emphasis parts. */
  readonly shares: Float64Array;
  readonly emphases: Float64Array;
  readonly total: number;
}

function score({ parts, rarities, traits, words, cells }: Example, used: Float64Array): Scored {
  const emphases = new Float64Array(rarities.length);
  let total = 0;
  for (let word = 0; word < emphases.length; word += 1) {
    let sum = 0;
    for (let trait = 0; trait < TRAITS; trait += 1)
      sum += (used[FIXED + EMPHASIS + trait] ?? 0) * (traits[word]?.[trait] ?? 0);
    emphases[word] = (rarities[word] ?? 0) * Math.exp(Math.max(-8, Math.min(8, sum)));
    total += emphases[word] ?? 0;
  }
  const scores = new Float64Array(parts.length);
  const shares = new Float64Array(parts.length * EMPHASIS);
  for (let candidate = 0; candidate < parts.length; candidate += 1) {
    let sum = 0;
    for (let part = 0; part < FIXED; part += 1) sum += (used[part] ?? 0) * (parts[candidate]?.[part] ?? 0);
    const own = words[candidate] ?? [];
    for (let nth = 0; nth < own.length; nth += 1) {
      const share = (emphases[own[nth] ?? 0] ?? 0) / total;
      for (let part = 0; part < EMPHASIS; part += 1) {
        const at = candidate * EMPHASIS + part;
        shares[at] = (shares[at] ?? 0) + share * (cells[candidate]?.[nth * EMPHASIS + part] ?? 0);
      }
    }
    for (let part = 0; part < EMPHASIS; part += 1)
      sum += (used[FIXED + part] ?? 0) * (shares[candidate * EMPHASIS + part] ?? 0);
    scores[candidate] = sum;
  }
  return { scores, shares, emphases, total };
}

interface Learning extends Prepared {
  readonly gradient: Float64Array;
  readonly isSeen: (document: number) => boolean;
  /** How much this lesson counts. */
  readonly worth: number;
}

function addGradient({ example, marked, isNegative }: Lesson, learning: Learning): void {
  const { used, slopes, gradient, isSeen, worth } = learning;
  const { scores, shares, emphases, total } = score(example, used);
  const pushes = pushEach(example.documents, scores, { marked, isNegative, isSeen });
  const perEmphasis = new Float64Array(emphases.length);
  let pushed = 0;
  for (const [candidate, each] of pushes.entries()) {
    const push = worth * each;
    if (Math.abs(push) < 1e-7) continue;
    for (let part = 0; part < FIXED; part += 1)
      add(gradient, part, push * (slopes[part] ?? 0) * (example.parts[candidate]?.[part] ?? 0));
    for (let part = 0; part < EMPHASIS; part += 1) {
      const share = shares[candidate * EMPHASIS + part] ?? 0;
      add(gradient, FIXED + part, push * (slopes[FIXED + part] ?? 0) * share);
      pushed += push * (used[FIXED + part] ?? 0) * share;
    }
    for (const [nth, word] of (example.words[candidate] ?? []).entries()) {
      let value = 0;
      for (let part = 0; part < EMPHASIS; part += 1)
        value += (used[FIXED + part] ?? 0) * (example.cells[candidate]?.[nth * EMPHASIS + part] ?? 0);
      add(perEmphasis, word, push * value);
    }
  }
  for (const [word, emphasis] of emphases.entries()) {
    const own = (emphasis / total) * ((perEmphasis[word] ?? 0) - pushed);
    for (let trait = 0; trait < TRAITS; trait += 1)
      add(gradient, FIXED + EMPHASIS + trait, own * (example.traits[word]?.[trait] ?? 0));
  }
}

type Marks = Pick<Lesson, 'marked' | 'isNegative'> & Pick<Learning, 'isSeen'>;

/** How much less each candidate should score: nothing for all if no marked one is among them. */
function pushEach(
  documents: readonly number[],
  scores: Float64Array,
  { marked, isNegative, isSeen }: Marks,
): Float64Array {
  const pushes = new Float64Array(scores.length);
  const seen = documents.map((document) => isSeen(document));
  if (!documents.some((document, at) => seen[at] === true && marked.has(document))) return pushes;
  const most = Math.max(...scores);
  const powers = scores.map((each, at) => (seen[at] === true ? Math.exp(each - most) : 0));
  const isWanted = (at: number): boolean => marked.has(documents[at] ?? -1) !== isNegative;
  const all = powers.reduce((sum, power) => sum + power, 0);
  const wanted = powers.reduce((sum, power, at) => sum + (isWanted(at) ? power : 0), 1e-12);
  for (const [at, power] of powers.entries()) pushes[at] = power / all - (isWanted(at) ? power / wanted : 0);
  return pushes;
}

function add(numbers: Float64Array, at: number, value: number): void {
  numbers[at] = (numbers[at] ?? 0) + value;
}

/** Exclusions lower a skill; everything else raises it. */
function signOf(part: number): number {
  return FIXED_PARTS[part] === 'excluded' ? -1 : 1;
}

function softplus(value: number): number {
  return value > 30 ? value : Math.log1p(Math.exp(value));
}

function slope(value: number): number {
  return 1 / (1 + Math.exp(-value));
}

function toRaw(value: number): number {
  return Math.log(Math.expm1(value));
}

function openRandom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
}

function shuffle(values: number[], random: () => number): void {
  for (let at = values.length - 1; at > 0; at -= 1) {
    const other = Math.floor(random() * (at + 1));
    [values[at], values[other]] = [values[other] ?? 0, values[at] ?? 0];
  }
}
