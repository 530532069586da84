import { z } from 'zod';

/** The fields that several operations take. */

/** Most results, and most names in one change. */
export const MOST = 10_000;

export const nothing = z.strictObject({});
export const name = z.string().min(1).max(256);
export const named = z.strictObject({ name });
export const scope = z.enum(['user', 'project']);
/** Numbers in an address are text. */
export const wholeCount = z.coerce.number().int().nonnegative().max(9_999_999);
/** The id of an agent program. */
export const host = z.string().max(64);
export const request = z.string().max(10_000);
