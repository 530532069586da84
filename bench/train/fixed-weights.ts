import { FIXED_PARTS } from './examples.ts';

/**
 * Weights that are decided and not learned. There are too few negatives to learn from what skills exclude: this is the
 * least that keeps wrong skills from coming first more often than before.
 */
export const FIXED_WEIGHTS: ReadonlyMap<number, number> = new Map([[FIXED_PARTS.indexOf('excluded'), 6]]);
