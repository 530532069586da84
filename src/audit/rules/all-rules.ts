import { CONTENT_RULES } from './content.ts';
import { ARCHIVES, FILES, HIDDEN_TEXT } from './files.ts';
import { FLOW_RULES } from './flow.ts';
import { INSTRUCTION_RULES } from './instructions.ts';
import { ORDER_RULES } from './orders.ts';
import { REACH_RULES } from './reach.ts';
import type { Rule, TextRule } from './rule.ts';
import { RUN_RULES } from './run.ts';
import { RUNNING_RULES } from './running.ts';
import { SAFETY_RULES } from './safety.ts';

/** Every text rule, sorted by id. */
export const TEXT_RULES: readonly TextRule[] = [
  ...RUNNING_RULES,
  ...REACH_RULES,
  ...SAFETY_RULES,
  ...INSTRUCTION_RULES,
  ...ORDER_RULES,
  ...CONTENT_RULES,
];

/** Every rule about files, sorted by id. */
export const FILE_RULES: readonly Rule[] = [
  ...TEXT_RULES,
  ...Object.values(FLOW_RULES),
  ...Object.values(HIDDEN_TEXT),
  ...Object.values(FILES),
  ...Object.values(ARCHIVES),
].toSorted((a, b) => (a.id < b.id ? -1 : 1));

/** Every rule, sorted by id: those about files, then those about scripts that were run. */
export const RULES: readonly Rule[] = [...FILE_RULES, ...Object.values(RUN_RULES)];
