import type { z } from 'zod';

import type { Identity, Role } from '../access/roles.ts';
import type { Hub } from '../hub.ts';
import type { Result } from '../refusal.ts';

/** Who may use a route: a role in the scope of its path, in any scope, or in all of them. */
export type Access =
  | { readonly kind: 'public' }
  | { readonly kind: 'scope'; readonly role: Role }
  | { readonly kind: 'any'; readonly role: Role }
  | { readonly kind: 'all'; readonly role: Role };

/** A request that has passed the checks of its route. */
export interface Call<Query, Body> {
  readonly hub: Hub;
  readonly identity: Identity;
  readonly params: Readonly<Record<string, string>>;
  readonly query: Query;
  readonly body: Body;
  readonly request: Request;
}

export interface RouteSpec<Query extends z.ZodType, Body extends z.ZodType> {
  readonly method: 'GET' | 'POST' | 'PUT' | 'DELETE';
  /** Parameters are `:name`; a last `*` takes the rest of the path as `rest`. */
  readonly path: string;
  readonly access: Access;
  /** For the OpenAPI document. */
  readonly summary: string;
  readonly query?: Query;
  /** The JSON body, or the bytes of an archive. */
  readonly body?: Body | 'archive';
  /** An object is sent as JSON; a refusal with its status. */
  readonly answer: (call: Call<z.infer<Query>, z.infer<Body>>) => Promise<Result | Response>;
}

/** A route whose types are closed over. */
export interface Route extends Omit<RouteSpec<z.ZodType, z.ZodType>, 'answer'> {
  readonly answer: (call: Call<unknown, unknown>) => Promise<Result | Response>;
}

export function route<Query extends z.ZodType, Body extends z.ZodType>(spec: RouteSpec<Query, Body>): Route {
  return {
    ...spec,
    // The app has parsed both with the schemas of this very route.
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion
    answer: (call) => spec.answer(call as Call<z.infer<Query>, z.infer<Body>>),
  };
}
