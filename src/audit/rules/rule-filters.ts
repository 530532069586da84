import { KNOWN_MARKS } from './known-marks.ts';
import type { TextRule } from './rule.ts';
import { openFilter, type MayMatch } from './text-grams.ts';

/** Says quickly that a rule has no match in a text. */
export function openRuleFilter({ id, pattern }: Pick<TextRule, 'id' | 'pattern'>): MayMatch {
  return openFilter(pattern, KNOWN_MARKS[id]);
}
