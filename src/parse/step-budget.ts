import type { StepAllowance } from '../model/limits.ts';

/** Limits slow work. It counts steps instead of time, so that the same input always has the same result. */
export interface StepBudget {
  /** Takes this many steps. False if there are not as many left; then none are left. */
  spend(steps: number): boolean;
  readonly spent: number;
  readonly left: number;
  /** True once more was asked for than there was. */
  readonly isExceeded: boolean;
}

/** The budget of a root with so many skills. */
export function openRootBudget({ base, perSkill, most }: StepAllowance, skills: number): StepBudget {
  return openStepBudget(Math.min(most, base + perSkill * skills));
}

export function openStepBudget(steps: number): StepBudget {
  let spent = 0;
  let isExceeded = false;
  return {
    spend(more) {
      isExceeded ||= spent + more > steps;
      spent = isExceeded ? steps : spent + more;
      return !isExceeded;
    },
    get spent() {
      return spent;
    },
    get left() {
      return steps - spent;
    },
    get isExceeded() {
      return isExceeded;
    },
  };
}
