import type { Skills } from '../engine/open-skills.ts';
import type { Skill } from '../model/skill.ts';

/** What happens to skills on disk while a server runs. */
export interface LiveChanges extends Disposable {
  onChange(listener: () => void): Disposable;
}

export interface ChangeOptions {
  readonly onError: (error: unknown) => void;
  /** Hears of the skills before the listeners do. */
  readonly onSkills: (changed: readonly Skill[]) => void;
}

/** Watches from the first listener on, so that starting to answer does not wait for it. */
export function openChanges(skills: Skills, { onError, onSkills }: ChangeOptions): LiveChanges {
  const listeners = new Set<() => void>();
  let watching: ReturnType<Skills['watch']> | undefined;
  const watch = (): void => {
    watching ??= skills.watch(({ added, changed, removed }) => {
      onSkills([...added, ...changed, ...removed]);
      for (const listener of listeners) listener();
    });
    watching.catch(onError);
  };
  return {
    onChange(listener) {
      listeners.add(listener);
      watch();
      return { [Symbol.dispose]: () => void listeners.delete(listener) };
    },
    [Symbol.dispose]() {
      listeners.clear();
      void watching?.then((watch) => watch.close());
    },
  };
}
