import type { EmbeddingsSetting } from '../../model/config.ts';
import type { NextStep } from '../../model/next-step.ts';
import { fail, type Outcome } from '../../model/outcome.ts';
import { sha256Of } from '../../parse/digest.ts';
import { now } from '../../platform/clock.ts';
import type { Environment } from '../../platform/environment.ts';
import { requestJson } from '../../platform/web/request-json.ts';
import type { VectorStore } from './vector-store.ts';

/** Compares texts by their meaning, with a model behind the OpenAI protocol for embeddings. */
export interface Embeddings {
  /**
   * Cosine similarity of each text to the query. The texts' vectors are cached, the query's is not. A failure says why
   * there is no answer in time.
   */
  compare(query: string, texts: readonly string[]): Promise<Outcome<{ readonly likeness: readonly number[] }>>;
}

export interface EmbeddingsParts {
  readonly setting: EmbeddingsSetting;
  readonly environment: Pick<Environment, 'variables'>;
  readonly store: VectorStore;
  /** For all requests of one comparison together; 2 s by default. */
  readonly timeoutMs?: number | undefined;
}

export const EMBEDDINGS_TIMEOUT_MS = 2_000;
/** Texts in one request. */
const BATCH = 32;
/** More of a text is not sent. */
const TEXT_CHARACTERS = 2_000;

export function openEmbeddings({ setting, environment, store, timeoutMs }: EmbeddingsParts): Embeddings {
  const digestOf = (text: string): string => sha256Of(`${setting.url}\0${setting.model}\0${text}`);
  return {
    async compare(query, texts) {
      const cut = texts.map((text) => text.slice(0, TEXT_CHARACTERS));
      const known = await store.find(cut.map(digestOf));
      const deadline = now() + (timeoutMs ?? EMBEDDINGS_TIMEOUT_MS);
      const ask = (asked: readonly string[]): Promise<Outcome<Vectors>> =>
        askVectors(asked, { setting, environment, deadline });
      const first = await ask([query.slice(0, TEXT_CHARACTERS)]);
      if (!first.ok) return first;
      const [wanted = new Float32Array()] = first.vectors;
      const vectors = new Map([...known].filter(([, { length }]) => length === wanted.length));
      const missing = [...new Set(cut.filter((text) => !vectors.has(digestOf(text))))];
      for (let at = 0; at < missing.length; at += BATCH) {
        const batch = missing.slice(at, at + BATCH);
        const answered = await ask(batch);
        if (!answered.ok) return answered;
        if (answered.vectors.some(({ length }) => length !== wanted.length))
          return fail('PARSE_FAILED', `${originOf(setting)} answered with vectors of different lengths`);
        const fresh = new Map(batch.map((text, nth) => [digestOf(text), answered.vectors[nth] ?? wanted]));
        await store.keep(fresh);
        for (const [digest, vector] of fresh) vectors.set(digest, vector);
      }
      return { ok: true, likeness: cut.map((text) => cosine(wanted, vectors.get(digestOf(text)) ?? wanted)) };
    },
  };
}

interface Vectors {
  readonly vectors: readonly Float32Array[];
}

export interface VectorQuestion {
  readonly setting: EmbeddingsSetting;
  readonly environment: Pick<Environment, 'variables'>;
  /** As `now` counts. */
  readonly deadline: number;
}

/** The vectors of some texts, in their order. No failure says anything of the key. */
export async function askVectors(
  texts: readonly string[],
  { setting, environment, deadline }: VectorQuestion,
): Promise<Outcome<Vectors>> {
  const key = findKey(setting, environment);
  if (!key.ok) return key;
  const origin = originOf(setting);
  const timeoutMs = deadline - now();
  if (timeoutMs <= 0) return fail('STORE_FAILED', `${origin} did not answer in time`);
  const body = Buffer.from(JSON.stringify({ model: setting.model, input: texts, encoding_format: 'float' }));
  const asked = await requestJson({
    url: `${setting.url.replace(/\/+$/, '')}/embeddings`,
    environment,
    method: 'POST',
    token: key.key,
    body,
    contentType: 'application/json',
    timeoutMs,
  });
  if (!asked.ok) return now() >= deadline ? fail('STORE_FAILED', `${origin} did not answer in time`) : asked;
  if (asked.status === 401 || asked.status === 403) return fail('STORE_FAILED', `${origin} refuses the key`, SET_KEY);
  if (asked.status !== 200) return fail('STORE_FAILED', `${origin} answered with status ${asked.status}`);
  return readVectors(asked.answer, texts.length, origin);
}

const SET_KEY: NextStep = {
  ask: 'user',
  to: 'Set `key` of `ranking.embeddings`: the key itself, or `$NAME` for a variable of the environment.',
};

/** `$NAME` is an environment variable. */
function findKey(
  { key }: EmbeddingsSetting,
  { variables }: Pick<Environment, 'variables'>,
): Outcome<{ readonly key: string | undefined }> {
  if (key?.startsWith('$') !== true) return { ok: true, key };
  const name = key.slice(1);
  const value = variables[name];
  return value === undefined || value === ''
    ? fail('CONFIG_INVALID', `the variable ${name} is not set; \`ranking.embeddings\` uses it as its key`, SET_KEY)
    : { ok: true, key: value };
}

function readVectors(answer: unknown, count: number, origin: string): Outcome<Vectors> {
  const data: unknown = isObject(answer) ? answer['data'] : undefined;
  const vectors: Float32Array[] = [];
  for (const [at, entry] of (Array.isArray(data) ? data : []).entries()) {
    if (!isObject(entry) || !isVector(entry['embedding']))
      return fail('PARSE_FAILED', `${origin} answered with something that is not a list of vectors`);
    const place = typeof entry['index'] === 'number' ? entry['index'] : at;
    vectors[place] = Float32Array.from(entry['embedding']);
  }
  const given = vectors.filter((vector) => vector !== undefined);
  return given.length === count && vectors.length === count
    ? { ok: true, vectors }
    : fail('PARSE_FAILED', `${origin} answered with ${given.length} vectors for ${count} texts`);
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null;
}

function isVector(value: unknown): value is readonly number[] {
  return Array.isArray(value) && value.length > 0 && value.every((number) => Number.isFinite(number));
}

function cosine(a: Float32Array, b: Float32Array): number {
  let [dot, ofA, ofB] = [0, 0, 0];
  for (let at = 0; at < a.length; at += 1) {
    const [x, y] = [a[at] ?? 0, b[at] ?? 0];
    dot += x * y;
    ofA += x * x;
    ofB += y * y;
  }
  return ofA === 0 || ofB === 0 ? 0 : dot / Math.sqrt(ofA * ofB);
}

/** For messages: a URL may hold a password. */
export function originOf({ url }: Pick<EmbeddingsSetting, 'url'>): string {
  return URL.canParse(url) ? new URL(url).origin : 'the address of `ranking.embeddings`';
}
