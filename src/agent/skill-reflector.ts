import type { Skills } from '../engine/open-skills.ts';
import type { Reflection, ReflectorOptions } from './reflection.ts';
import type { Turn } from './turn-record.ts';

/**
 * Lets a model review a turn and save what it learned as a skill. The model sees and changes only skills written by
 * agents, and loading them here is not recorded as usage.
 */
export class SkillReflector {
  readonly #skills: Skills;
  readonly #options: ReflectorOptions;

  constructor(skills: Skills, options: ReflectorOptions) {
    this.#skills = skills;
    this.#options = options;
  }

  /** Call this after a turn has ended. Never rejects. */
  async reflect(turn: Turn, { signal }: { readonly signal?: AbortSignal | undefined } = {}): Promise<Reflection> {
    // Lazy: most programs that import the root never reflect.
    const { reflectOn } = await import('./reflection.ts');
    return reflectOn(turn, this.#skills, this.#options, signal);
  }
}
