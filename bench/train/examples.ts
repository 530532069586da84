import { PLACES, SUPPORTING_PLACES } from '../../src/select/index/document.ts';
import type { SearchIndex } from '../../src/select/index/search-index.ts';
import { findCandidates } from '../../src/select/ranking/candidates.ts';
import { measureTraits } from '../../src/select/ranking/emphasis.ts';
import { measureParts, PAIRED, PARTS, type RelevanceParts } from '../../src/select/ranking/parts.ts';
import { readRequest } from '../../src/select/ranking/request.ts';

/** The parts that depend on the emphasis of words, and are measured anew while that is learned. */
export const EMPHASIS_PARTS = [
  'emphasisStrength',
  'emphasisCovered',
  'emphasisMetadata',
  'emphasisName',
  'emphasisInstructions',
  'emphasisMetadataPairs',
  'emphasisInstructionPairs',
] as const satisfies readonly (keyof RelevanceParts)[];
export const FIXED_PARTS: readonly (keyof RelevanceParts)[] = PARTS.filter(
  (part) => !(EMPHASIS_PARTS as readonly string[]).includes(part),
);

/** A request with what is known of each candidate, ready for learning. */
export interface Example {
  readonly documents: readonly number[];
  /** For each candidate, `FIXED_PARTS`. */
  readonly parts: readonly Float64Array[];
  readonly rarities: Float64Array;
  /** For each word, its traits. */
  readonly traits: readonly (readonly number[])[];
  /** For each candidate: the words that it has, and for each of them `EMPHASIS_PARTS`. */
  readonly words: readonly Uint16Array[];
  readonly cells: readonly Float64Array[];
}

export function toExample(index: SearchIndex, query: string, isWanted?: (document: number) => boolean): Example {
  const request = readRequest(index, query, isWanted);
  const candidates = findCandidates(index, request.words, isWanted);
  const measured = measureParts(index, request, candidates);
  const words: Uint16Array[] = [];
  const cells: Float64Array[] = [];
  for (const { places, impacts, paired } of measured) {
    const said = [...places.keys()].filter((at) => ((places[at] ?? 0) & SUPPORTING_PLACES) !== 0);
    words.push(Uint16Array.from(said));
    cells.push(
      Float64Array.from(
        said.flatMap((at) => {
          const place = places[at] ?? 0;
          const has = (bit: number): number => Number((place & bit) !== 0);
          const isPaired = (bit: number): number => Number(((paired[at] ?? 0) & bit) !== 0);
          const strength = (impacts[at] ?? 0) / 255;
          const where = [has(PLACES.metadata), has(PLACES.name), has(PLACES.instructions)];
          return [strength, 1, ...where, isPaired(PAIRED.metadata), isPaired(PAIRED.instructions)];
        }),
      ),
    );
  }
  return {
    documents: measured.map(({ document }) => document),
    parts: measured.map(({ parts }) => Float64Array.from(FIXED_PARTS, (part) => parts[part])),
    rarities: Float64Array.from(request.words, ({ rarity }) => rarity),
    traits: request.words.map(({ traits }) => measureTraits(traits)),
    words,
    cells,
  };
}
