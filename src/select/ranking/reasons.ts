import { PLACES, SUPPORTING_PLACES } from '../index/document.ts';
import type { Request } from './request.ts';

/** Which words of the request a document has, and where. */
export function explainPlaces({ words }: Request, places: Uint8Array): readonly string[] {
  return SHOWN_PLACES.flatMap(({ title, isThere }) => {
    const there = new Set<string>();
    for (const [at, { spelling }] of words.entries()) if (isThere(places[at] ?? 0)) there.add(spelling);
    return there.size === 0 ? [] : [`${title}: ${[...there].join(', ')}`];
  });
}

/** Says that learning raised a result. */
export function explainChosen(times: number): string {
  return times === 1 ? 'chosen before for a similar request' : `chosen before for similar requests, ${times} times`;
}

const SHOWN_PLACES = [
  { title: 'name', isThere: (places: number) => (places & PLACES.name) !== 0 },
  {
    title: 'description or tags',
    isThere: (places: number) => (places & (PLACES.name | PLACES.metadata)) === PLACES.metadata,
  },
  { title: 'instructions', isThere: (places: number) => (places & SUPPORTING_PLACES) === PLACES.instructions },
  {
    title: 'what it is not for',
    isThere: (places: number) => (places & (PLACES.excluded | PLACES.metadata)) === PLACES.excluded,
  },
];
