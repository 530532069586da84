import type { Diagnostic } from '../model/diagnostic.ts';
import { ROOT_PATTERNS, ROOT_READING } from '../model/limits.ts';
import type { Skill } from '../model/skill.ts';
import { openRootBudget } from '../parse/step-budget.ts';
import type { ReadSkill } from './cache-rows.ts';
import { toPlainSkill } from './cached-skill.ts';

/**
 * Limits the slow work of reading the skills of one root, in their order. A skill from the cache counts as if it were
 * read, so that the result does not depend on earlier scans. Skills that need no slow work are never refused.
 */
export interface ReadingBudget {
  /** How many steps are left: for reading, and for compiling patterns. */
  readonly readingSteps: number;
  readonly patternSteps: number;
  /** Counts the work of a skill. Gives something else if there is not as much left. */
  charge(read: ReadSkill, place: { readonly file: string }): ReadSkill;
}

export function openReadingBudget(skills: number): ReadingBudget {
  const reading = openRootBudget(ROOT_READING, skills);
  const patterns = openRootBudget(ROOT_PATTERNS, skills);
  return {
    get readingSteps() {
      return reading.left;
    },
    get patternSteps() {
      return patterns.left;
    },
    charge(read, place) {
      const { skill, steps, patternSteps } = read;
      if (steps > 0 && !reading.spend(steps)) return { ...NO_STEPS, diagnostics: [describeLimit(place.file)] };
      if (skill === undefined || patternSteps === 0 || patterns.spend(patternSteps)) return read;
      return { ...NO_STEPS, skill: withoutPatterns(toPlainSkill(skill)) };
    },
  };
}

const NO_STEPS = { steps: 0, patternSteps: 0 };

/** Flaws of single patterns no longer matter, and may not have been looked for. */
function withoutPatterns(skill: Skill): Skill {
  const flaw: Diagnostic = {
    code: 'PATTERN_REFUSED',
    severity: 'warning',
    path: skill.file,
    field: 'triggers',
    message: 'the patterns are not used: the skills of this folder have too many of them together',
  };
  const others = skill.diagnostics.filter(({ code, field }) => code !== flaw.code || field !== flaw.field);
  return { ...skill, triggers: { ...skill.triggers, patterns: [] }, diagnostics: [...others, flaw] };
}

function describeLimit(path: string): Diagnostic {
  const message =
    'left out: the skills of this folder together take too many steps to read; write their frontmatter more simply';
  return { code: 'SCAN_LIMIT', severity: 'error', path, message };
}
