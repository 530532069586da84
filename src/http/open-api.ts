import { readFileSync } from 'node:fs';

import { z } from 'zod';

import { VERSION } from '../model/version.ts';
import { packageFile } from '../platform/package-file.ts';
import type { Endpoint } from './endpoint.ts';

/** Schemas of answers, made from the types in wire/ by tools/answer-schemas.ts. */
interface AnswerSchemas extends Readonly<Record<'reads' | 'changes' | 'jobs', Readonly<Record<string, object>>>> {
  readonly schemas: Readonly<Record<string, object>>;
}

/** The API as an OpenAPI 3.1 document: requests by the schemas that check them, answers by the types that the page knows. */
export function describeApi(endpoints: readonly Endpoint[]): object {
  const operations = Map.groupBy(endpoints, ({ path }) => path);
  const answers = readAnswers();
  return {
    openapi: '3.1.0',
    info: { title: 'Skillplane console', version: VERSION },
    paths: Object.fromEntries(
      [...operations].map(([path, own]) => [
        `/api/${path}`,
        Object.fromEntries(
          own.map((endpoint) => [endpoint.kind === 'read' ? 'get' : 'post', describe(endpoint, answers)]),
        ),
      ]),
    ),
    components: { schemas: { ...answers.schemas, Failure: FAILURE } },
  };
}

function readAnswers(): AnswerSchemas {
  // It is part of the package, and a test holds it to the types.
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion
  return JSON.parse(readFileSync(packageFile('data/console-answers.json'), 'utf8')) as AnswerSchemas;
}

const LISTS = { read: 'reads', change: 'changes', job: 'jobs' } as const;

function describe({ kind, path, input, changes }: Endpoint, answers: AnswerSchemas): object {
  const schema = z.toJSONSchema(input);
  const asked = kind === 'read' ? { parameters: toParameters(schema) } : { requestBody: { content: toJson(schema) } };
  const done = { allOf: [{ ...OK }, answers[LISTS[kind]][path] ?? {}] };
  const answer = kind === 'job' ? toLines(done) : toJson({ anyOf: [done, FAILED] });
  const description =
    kind === 'job' ? 'A line of JSON for each step, and one for the result' : 'The result, or a failure of the engine';
  return {
    operationId: `${kind} ${path}`,
    tags: [changes ? 'changes' : 'reads'],
    ...asked,
    responses: {
      200: { description, content: answer },
      default: { description: 'A refusal of the server', content: toJson(FAILED) },
    },
  };
}

const OK = { type: 'object', required: ['ok'], properties: { ok: { const: true } } };
const FAILED = { $ref: '#/components/schemas/Failure' };
const FAILURE = {
  type: 'object',
  required: ['ok', 'code', 'message'],
  properties: {
    ok: { const: false },
    code: { type: 'string' },
    message: { type: 'string' },
    hint: { type: ['string', 'null'] },
  },
};

/** Every line is one of these. */
function toLines(done: object): object {
  const line = (key: string, schema: object): object => ({
    type: 'object',
    required: [key],
    properties: { [key]: schema },
  });
  const progress = {
    type: 'object',
    required: ['step'],
    properties: { step: { type: 'string' }, percent: { type: 'number' } },
  };
  const schema = { anyOf: [line('progress', progress), line('result', done), line('failure', { type: 'object' })] };
  return { 'application/x-ndjson': { schema } };
}

function toJson(schema: object): object {
  return { 'application/json': { schema } };
}

function toParameters({ properties = {}, required = [] }: z.core.JSONSchema.BaseSchema): readonly object[] {
  return Object.entries(properties).map(([name, schema]) => {
    return { name, in: 'query', required: required.includes(name), schema };
  });
}
