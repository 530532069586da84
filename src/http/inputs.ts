import { z } from 'zod';

import { CATALOG_FORMAT_NAMES } from '../model/catalog-format.ts';
import type { Changes, Jobs, Reads } from './wire/contract.ts';

type Inputs<T extends Readonly<Record<string, { readonly input: unknown }>>> = {
  readonly [K in keyof T]: z.ZodType<T[K]['input']>;
};

const name = z.string().min(1).max(256);
const named = { name };
const installed = { ...named, scope: z.enum(['user', 'project']) };
const address = {
  url: z.string().min(1).max(4_096),
  scope: z.enum(['user', 'project']),
  skills: z.array(z.string().max(1_024)).max(1_000),
};
const nothing = z.strictObject({});
const host = z.string().max(64);
const cells = z.strictObject({ cells: z.array(z.strictObject({ host, name, isOn: z.boolean() })).max(1_000) });
const request = z.string().max(10_000);
const evalCase = z.strictObject({ request, skill: name, shouldTrigger: z.boolean() });

/** Most results, and most names in one change. */
const MOST = 10_000;

/** Numbers in an address are text. */
const count = z.coerce.number().int().nonnegative().max(9_999_999);

/** An answer that is whole, however long it takes. */

/** Checks what a page asks. */
export const READ_INPUTS: Inputs<{ [K in keyof Reads]: Reads[K] }> = {
  session: nothing,
  skills: z.strictObject({ first: count.max(MOST).optional() }),
  search: z.strictObject({ query: z.string().max(10_000), limit: count.max(MOST).optional() }),
  skill: z.strictObject(named),
  'skill/file': z.strictObject({ ...named, path: z.string().max(4_096) }),
  'skill/trust': z.strictObject(named),
  'skill/fix': z.strictObject(named),
  'skill/usage': z.strictObject(named),
  'skill/versions': z.strictObject(named),
  'skill/hosts': z.strictObject(named),
  hosts: nothing,
  'hosts/sync': nothing,
  'hosts/connect': z.strictObject({
    host,
    server: z.literal('true').optional(),
    hook: z.literal('true').optional(),
    recordsUse: z.literal('true').optional(),
  }),
  model: z.strictObject({
    host: host.optional(),
    budget: count.optional(),
    format: z.enum(CATALOG_FORMAT_NAMES).optional(),
  }),
  lab: z.strictObject({ request }),
  'lab/case': z.strictObject({ request, skill: name, not: z.literal('true').optional() }),
  usage: z.strictObject({ days: count.min(1).max(366).optional() }),
  health: nothing,
  installed: nothing,
  'usage/recent': nothing,
};

/** Checks what a page wants to change. */
export const CHANGE_INPUTS: Inputs<{ [K in keyof Changes]: Changes[K] }> = {
  'skills/switch': z.strictObject({ names: z.array(name).min(1).max(MOST), to: z.enum(['enabled', 'disabled']) }),
  'skill/fix': z.strictObject(named),
  'skill/trust': z.strictObject({
    ...named,
    digest: z.string().max(128),
    allow: z.array(z.string().max(64)).max(MOST),
  }),
  'skill/untrust': z.strictObject(named),
  'skill/pin': z.strictObject({ ...named, isPinned: z.boolean() }),
  'skill/prefer': z.strictObject({ ...named, source: z.string().max(256).optional() }),
  'skill/edit': z.strictObject(named),
  'lab/case': evalCase,
  'lab/uncase': evalCase,
  'hosts/sync': cells,
  'hosts/unsync': cells,
  'hosts/connect': z.strictObject({ host, server: z.boolean(), hook: z.boolean(), recordsUse: z.boolean() }),
  'health/repair': z.discriminatedUnion('kind', [
    z.strictObject({
      kind: z.literal('setting'),
      setting: z.string().max(64),
      change: z.enum(['set', 'add', 'remove']),
      value: z.string().max(256),
    }),
    z.strictObject({ kind: z.literal('fix'), dir: z.string().max(4_096) }),
    z.strictObject({ kind: z.literal('copy'), skill: name }),
    z.strictObject({ kind: z.literal('restore'), skill: name }),
  ]),
  'installed/rollback': z.strictObject(installed),
  'installed/hold': z.strictObject({ ...installed, isHeld: z.boolean() }),
  'installed/remove': z.strictObject(installed),
};

/** Checks what a page wants done that takes long. */
export const JOB_INPUTS: Inputs<{ [K in keyof Jobs]: Jobs[K] }> = {
  'audit/all': nothing,
  'updates/check': z.strictObject({ only: z.strictObject(installed).optional() }),
  'updates/apply': z.strictObject({ ...installed, digest: z.string().max(128) }),
  'install/look': z.strictObject(address),
  'install/apply': z.strictObject({ ...address, digests: z.array(z.string().max(128)).max(1_000) }),
  'hosts/plan': cells,
  'evals/run': nothing,
};
