import type { StepAllowance } from '../model/limits.ts';

/** Limits slow work of many skills together. It counts steps instead of time, so that the same files always have the same result. */
export interface StepBudget {
  /** Counts these steps; false once there were more than allowed. */
  spend(steps: number): boolean;
  readonly spent: number;
  readonly isExceeded: boolean;
}

/** The budget of a root with so many skills. */
export function openRootBudget({ base, perSkill, most }: StepAllowance, skills: number): StepBudget {
  const allowed = Math.min(most, base + perSkill * skills);
  let spent = 0;
  return {
    spend: (steps) => (spent += steps) <= allowed,
    get spent() {
      return spent;
    },
    get isExceeded() {
      return spent > allowed;
    },
  };
}
