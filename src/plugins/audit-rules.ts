import type { Rule, TextRule } from './audit-rule.ts';
import { CONTENT_RULES } from './audit-rules-content.ts';
import { ARCHIVES, FILES, HIDDEN_TEXT } from './audit-rules-files.ts';
import { INSTRUCTION_RULES } from './audit-rules-instructions.ts';
import { REACH_RULES } from './audit-rules-reach.ts';
import { RUNNING_RULES } from './audit-rules-running.ts';
import { SAFETY_RULES } from './audit-rules-safety.ts';

/** Every rule that reads text, by id. */
export const TEXT_RULES: readonly TextRule[] = [
  ...RUNNING_RULES,
  ...REACH_RULES,
  ...SAFETY_RULES,
  ...INSTRUCTION_RULES,
  ...CONTENT_RULES,
];

/** Every rule there is, by id. */
export const RULES: readonly Rule[] = [
  ...TEXT_RULES,
  ...Object.values(HIDDEN_TEXT),
  ...Object.values(FILES),
  ...Object.values(ARCHIVES),
];
