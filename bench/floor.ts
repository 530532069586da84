import { confidencesOf } from '../src/select/ranking/confidence.ts';
import { foldNearDuplicates } from '../src/select/ranking/near-duplicates.ts';
import { rankByRelevance } from '../src/select/ranking/relevance.ts';
import { readRequest } from '../src/select/ranking/request.ts';
import { WEAK_BELOW } from '../src/select/registry.ts';
import { indexEntries, openGlossaryFile, type Entry } from './engines.ts';
import { explainSkip, OUR_REQUESTS, readLines, REQUESTS, VENDOR } from './real-skills.ts';
import { readEntries, type Request } from './retrieval.ts';
import type { Section } from './table.ts';

const SIZES = [30, 100, 400];
const FLOORS = [0.1, 0.15, 0.2, 0.25, 0.3];
/** Each library answers so many requests. */
const SHARE = 40;

/** Which floor tells the right skill from the best of those that are left where the right one is not installed. */
export function measureFloor(): Section | string {
  const skip = explainSkip('floor', [VENDOR, REQUESTS]);
  if (skip !== undefined) return skip;
  const entries = readEntries(VENDOR);
  const requests = readLines<Request>(REQUESTS);
  const libraries = SIZES.map((size) => measureLibraries(size, entries, requests));
  const share = (confidences: readonly number[], floor: number): string =>
    `${((100 * confidences.filter((confidence) => confidence < floor).length) / confidences.length).toFixed(0)} %`;
  return {
    title: 'The floor below which a result is weak',
    note: `Libraries of so many real skills, chosen evenly, each with ${SHARE} of the requests: once with the skills that serve them, once without. Right: the first result serves the request. Wrong: the first result where none does. The floor in use is ${WEAK_BELOW}. ${OUR_REQUESTS}`,
    columns: ['floor', ...SIZES.flatMap((size) => [`${size}: right, but weak`, `${size}: wrong and weak`])],
    rows: FLOORS.map((floor) => [
      floor.toFixed(2),
      ...libraries.flatMap(({ right, wrong }) => [share(right, floor), share(wrong, floor)]),
    ]),
  };
}

interface Confidences {
  readonly right: readonly number[];
  readonly wrong: readonly number[];
}

function measureLibraries(size: number, entries: readonly Entry[], requests: readonly Request[]): Confidences {
  const byPath = new Map(entries.map((entry) => [entry.path, entry]));
  const right: number[] = [];
  const wrong: number[] = [];
  const rounds = Math.floor(requests.length / SHARE);
  for (let round = 0; round < rounds; round += 1) {
    const asked = requests.filter((_, at) => at % rounds === round).slice(0, SHARE);
    const golds = new Set(asked.flatMap(({ gold }) => gold));
    const step = Math.floor(entries.length / size);
    const others = entries.filter(({ path }, at) => at % step === round % step && !golds.has(path)).slice(0, size);
    const served = [...golds].flatMap((path) => byPath.get(path) ?? []);
    const [within, without] = [openLibrary([...others, ...served]), openLibrary(others)];
    for (const { query, gold } of asked) {
      const best = within(query);
      if (best !== undefined && gold.includes(best.path)) right.push(best.confidence);
      wrong.push(without(query)?.confidence ?? 0);
    }
  }
  return { right, wrong };
}

/** Finds the best skill for a request, and how likely it is to serve the request. */
function openLibrary(
  entries: readonly Entry[],
): (query: string) => { readonly path: string; readonly confidence: number } | undefined {
  const index = indexEntries(entries, openGlossaryFile());
  return (query) => {
    const request = readRequest(index, query);
    const results = foldNearDuplicates(rankByRelevance(index, request), index, { limit: 2 });
    const [confidence = 0] = confidencesOf(results, request, index);
    return results[0] && { path: entries[results[0].document]?.path ?? '', confidence };
  };
}
