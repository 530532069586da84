import { VERSION } from 'skillplane';
import { z } from 'zod';

import { ANSWERS, REFUSED, type AnswerContent } from './answers.ts';
import type { Access, Route } from './route.ts';

/** The routes as an OpenAPI 3.1 document. */
export function describeApi(routes: readonly Route[]): object {
  const paths: Record<string, Record<string, object>> = {};
  for (const one of routes) {
    const path = one.path.replaceAll(/:(\w+)/g, '{$1}').replace(/\*$/, '{rest}');
    paths[path] = { ...paths[path], [one.method.toLowerCase()]: describeRoute(one, path) };
  }
  return {
    openapi: '3.1.0',
    info: { title: 'Skillplane hub', version: VERSION },
    components: {
      securitySchemes: {
        token: { type: 'http', scheme: 'bearer' },
        session: { type: 'apiKey', in: 'cookie', name: 'skillplane-hub' },
      },
      schemas: { Refusal: schemaOf(REFUSED) },
    },
    paths,
  };
}

function describeRoute({ method, path: own, summary, access, query, body }: Route, path: string): object {
  const inPath = Array.from(path.matchAll(/\{(\w+)\}/g), ([, name = '']) => ({
    name,
    in: 'path',
    required: true,
    schema: { type: 'string' },
  }));
  return {
    summary,
    description: describeAccess(access),
    ...(access.kind === 'public' ? {} : { security: [{ token: [] }, { session: [] }] }),
    parameters: [...inPath, ...describeQuery(query)],
    ...(body === undefined ? {} : { requestBody: { required: true, content: describeBody(body) } }),
    responses: {
      200: { description: 'Done', content: describeAnswer(ANSWERS[`${method} ${own}`]) },
      default: {
        description: 'Refused, with a stable code and a message for people',
        content: { 'application/json': { schema: { $ref: '#/components/schemas/Refusal' } } },
      },
    },
  };
}

function describeAnswer(content: AnswerContent | undefined): object {
  if (content === undefined) return {};
  if (content instanceof z.ZodType) return { 'application/json': { schema: schemaOf(content) } };
  return { [content.type]: {} };
}

function schemaOf(type: z.ZodType): object {
  const { $schema: _, ...schema } = z.toJSONSchema(type);
  return schema;
}

function describeQuery(query: z.ZodType | undefined): readonly object[] {
  if (query === undefined) return [];
  const { properties = {}, required = [] } = z.toJSONSchema(query, { io: 'input' });
  return Object.entries(properties).map(([name, schema]) => ({
    name,
    in: 'query',
    required: required.includes(name),
    schema,
  }));
}

function describeBody(body: NonNullable<Route['body']>): object {
  if (body === 'archive') return { 'application/octet-stream': { schema: { type: 'string', format: 'binary' } } };
  return { 'application/json': { schema: z.toJSONSchema(body, { io: 'input' }) } };
}

function describeAccess(access: Access): string {
  if (access.kind === 'public') return 'Needs no token.';
  const where = {
    scope: 'in the scope',
    any: 'in any scope; only what you may see is answered',
    all: 'in every scope',
  };
  return `Needs the role ${access.role} ${where[access.kind]}.`;
}
