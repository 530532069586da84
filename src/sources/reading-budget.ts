import type { Diagnostic } from '../model/diagnostic.ts';
import { MAX_READING_STEPS, ROOT_PATTERNS, ROOT_READING } from '../model/limits.ts';
import { fail } from '../model/outcome.ts';
import type { SkillDefinition } from '../model/skill.ts';
import { parseSkill, type ParseOutcome } from '../parse/parse-skill.ts';
import { openRootBudget, openStepBudget } from '../parse/step-budget.ts';
import { countAllSteps } from '../parse/trigger-patterns.ts';
import type { ReadSkill } from './cache-rows.ts';
import { toPlainSkill } from './cached-skill.ts';

/**
 * Limits the slow work of reading the skills of one root, in their order. A skill from the cache counts as if it were
 * read, so that the result does not depend on earlier scans. Skills that need no slow work are never refused.
 */
export interface ReadingBudget {
  parse(bytes: Uint8Array, place: { readonly dir: string; readonly file: string }): BudgetedParse;
  /** Counts the work of a skill from the cache. */
  charge(read: ReadSkill, file: string): ReadSkill;
}

export interface BudgetedParse {
  readonly parsed: ParseOutcome;
  readonly steps: number;
  /** False if the result depends on the other skills of the root, so that it must not be remembered. */
  readonly isFinal: boolean;
}

export function openReadingBudget(skills: number): ReadingBudget {
  const reading = openRootBudget(ROOT_READING, skills);
  const patterns = openRootBudget(ROOT_PATTERNS, skills);
  return {
    parse(bytes, place) {
      const isShort = reading.left < MAX_READING_STEPS;
      const budget = openStepBudget(Math.min(MAX_READING_STEPS, reading.left));
      const parsed = parseSkill(bytes, { ...place, budget, patternBudget: patterns });
      const steps = budget.spent;
      reading.spend(steps);
      if (budget.isExceeded && isShort) return { parsed: refuse(place.file), steps, isFinal: false };
      if (!parsed.ok || !patterns.isExceeded || !hasPatterns(parsed.skill)) return { parsed, steps, isFinal: true };
      return { parsed: { ...parsed, skill: withoutPatterns(parsed.skill) }, steps, isFinal: false };
    },
    charge(read, file) {
      const { skill, steps = 0 } = read;
      if (!reading.spend(steps)) return { diagnostics: [describeLimit(file)] };
      if (skill === undefined) return read;
      const needed = read.patternSteps ?? (hasPatterns(skill) ? countAllSteps(skill.triggers.patterns) : 0);
      return needed === 0 || patterns.spend(needed) ? read : { skill: withoutPatterns(toPlainSkill(skill)) };
    },
  };
}

function hasPatterns({ triggers }: SkillDefinition): boolean {
  return triggers.patterns.length > 0;
}

function withoutPatterns<T extends SkillDefinition>(skill: T): T {
  const flaw: Diagnostic = {
    code: 'PATTERN_REFUSED',
    severity: 'warning',
    path: skill.file,
    field: 'triggers',
    message: 'the patterns are not used: the skills of this folder have too many of them together',
  };
  return { ...skill, triggers: { ...skill.triggers, patterns: [] }, diagnostics: [...skill.diagnostics, flaw] };
}

function refuse(file: string): ParseOutcome {
  const flaw = describeLimit(file);
  return { ...fail('PARSE_FAILED', `${file}: ${flaw.message}`), diagnostics: [flaw] };
}

function describeLimit(path: string): Diagnostic {
  const message =
    'left out: the skills of this folder together take too many steps to read; write their frontmatter more simply';
  return { code: 'SCAN_LIMIT', severity: 'error', path, message };
}
