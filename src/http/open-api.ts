import { z } from 'zod';

import { VERSION } from '../model/version.ts';
import type { Endpoint } from './endpoint.ts';

/** The API as an OpenAPI 3.1 document, made from the schemas that check every request. */
export function describeApi(endpoints: readonly Endpoint[]): object {
  const operations = Map.groupBy(endpoints, ({ path }) => path);
  return {
    openapi: '3.1.0',
    info: { title: 'Skillplane console', version: VERSION },
    paths: Object.fromEntries(
      [...operations].map(([path, own]) => [
        `/api/${path}`,
        Object.fromEntries(own.map((endpoint) => [endpoint.kind === 'read' ? 'get' : 'post', describe(endpoint)])),
      ]),
    ),
  };
}

function describe({ kind, path, input, changes }: Endpoint): object {
  const schema = z.toJSONSchema(input);
  const asked = kind === 'read' ? { parameters: toParameters(schema) } : { requestBody: { content: toJson(schema) } };
  const type = kind === 'job' ? 'application/x-ndjson' : 'application/json';
  const description =
    kind === 'job' ? 'A line of JSON for each step, and one for the result' : 'The result, or a failure';
  return {
    operationId: `${kind} ${path}`,
    tags: [changes ? 'changes' : 'reads'],
    ...asked,
    responses: { 200: { description, content: { [type]: { schema: OUTCOME } } } },
  };
}

/** Every answer is an outcome. */
const OUTCOME = { type: 'object', required: ['ok'], properties: { ok: { type: 'boolean' } } } as const;

function toJson(schema: object): object {
  return { 'application/json': { schema } };
}

function toParameters({ properties = {}, required = [] }: z.core.JSONSchema.BaseSchema): readonly object[] {
  return Object.entries(properties).map(([name, schema]) => {
    return { name, in: 'query', required: required.includes(name), schema };
  });
}
