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
  return new CountedSteps(steps);
}

/** A class, because every file has a budget, and making an object with accessors takes longer. */
class CountedSteps implements StepBudget {
  readonly #steps: number;
  #spent = 0;
  #isExceeded = false;

  constructor(steps: number) {
    this.#steps = steps;
  }

  spend(more: number): boolean {
    this.#isExceeded ||= this.#spent + more > this.#steps;
    this.#spent = this.#isExceeded ? this.#steps : this.#spent + more;
    return !this.#isExceeded;
  }

  get spent(): number {
    return this.#spent;
  }

  get left(): number {
    return this.#steps - this.#spent;
  }

  get isExceeded(): boolean {
    return this.#isExceeded;
  }
}
