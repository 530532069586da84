import { CONTENT_RULES } from './content.ts';
import { ARCHIVES, FILES, HIDDEN_TEXT } from './files.ts';
import { INSTRUCTION_RULES } from './instructions.ts';
import { REACH_RULES } from './reach.ts';
import type { Rule, TextRule } from './rule.ts';
import { RUNNING_RULES } from './running.ts';
import { SAFETY_RULES } from './safety.ts';

/** Every text rule, sorted by id. */
export const TEXT_RULES: readonly TextRule[] = [
  ...RUNNING_RULES,
  ...REACH_RULES,
  ...SAFETY_RULES,
  ...INSTRUCTION_RULES,
  ...CONTENT_RULES,
];

/** Every rule, sorted by id. */
export const RULES: readonly Rule[] = [
  ...TEXT_RULES,
  ...Object.values(HIDDEN_TEXT),
  ...Object.values(FILES),
  ...Object.values(ARCHIVES),
];
