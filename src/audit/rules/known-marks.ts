import type { RequiredMarks } from './text-grams.ts';

/**
 * The marks that the text rules require, by the rule's id. None is known in the sources, so that patterns are read when they
 * are needed; `tools/build.ts` fills the table, because reading them takes longer than auditing dozens of skills.
 */
export const KNOWN_MARKS: Readonly<Record<string, RequiredMarks>> = {};
