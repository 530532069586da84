import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';

/** A line of a corpus; `path` is `owner+repository/path/SKILL.md`. */
export interface RealFile {
  readonly path: string;
  readonly text: string;
}

/** Where `npm run bench:corpus` puts the public skills. */
export const FETCHED = 'bench/cache';

const { SKILLPLANE_CORPUS, SKILLPLANE_REQUESTS = '../shared/eval' } = process.env;
const FOLDERS = SKILLPLANE_CORPUS === undefined ? ['../shared/corpus', FETCHED] : [SKILLPLANE_CORPUS];

/** The files of the first folder that has any, each a list of skills. */
export const CORPUS: readonly string[] = FOLDERS.map(listCorpus).find((files) => files.length > 0) ?? [];

/** Skills of some thirty public repositories, for which there are requests. */
export const VENDOR: string = CORPUS.find((path) => path.endsWith('vendor.jsonl.gz')) ?? 'vendor.jsonl.gz';

export const REQUESTS: string = join(SKILLPLANE_REQUESTS, 'dev.jsonl.gz');
export const NEGATIVES: string = join(SKILLPLANE_REQUESTS, 'negatives-dev.jsonl.gz');

/** Belongs into the note of every section that asks them. */
export const OUR_REQUESTS = 'The requests are not part of this repository.';

function listCorpus(folder: string): readonly string[] {
  if (!existsSync(folder)) return [];
  const names = readdirSync(folder).filter((name) => name.endsWith('.jsonl.gz'));
  return names.sort().map((name) => join(folder, name));
}

/** Says why a part cannot be measured; undefined if it can. Every part needs real skills, some also need requests. */
export function explainSkip(part: string, needed: readonly string[] = []): string | undefined {
  if (CORPUS.length === 0)
    return `${part}: skipped, there are no real skills here. \`npm run bench:corpus\` fetches them; or set SKILLPLANE_CORPUS to a folder with *.jsonl.gz.`;
  const missing = needed.filter((path) => !existsSync(path));
  if (missing.length === 0) return undefined;
  return `${part}: skipped, there is no ${missing.join(' and no ')}. ${OUR_REQUESTS} Set SKILLPLANE_REQUESTS to a folder that has them.`;
}

// The files are made for this, so a line is what the caller says.
// oxlint-disable-next-line typescript/no-unnecessary-type-parameters
export function readLines<T = RealFile>(path: string): readonly T[] {
  const bytes = readFileSync(path);
  const text = (path.endsWith('.gz') ? gunzipSync(bytes) : bytes).toString();
  const lines = text.trim().split('\n');
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion
  return lines.map((line) => JSON.parse(line) as T);
}
