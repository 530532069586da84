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

/** A thousand folders take a tenth of a second to watch: the first questions are answered before that. */
const DELAY_MS = 500;

/** Watches soon after the first listener came; what changed until then is found by the first look. */
export function openChanges(skills: Skills, { onError, onSkills }: ChangeOptions): LiveChanges {
  const listeners = new Set<() => void>();
  let watching: ReturnType<Skills['watch']> | undefined;
  let timer: NodeJS.Timeout | undefined;
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
      timer ??= setTimeout(watch, DELAY_MS).unref();
      return { [Symbol.dispose]: () => void listeners.delete(listener) };
    },
    [Symbol.dispose]() {
      listeners.clear();
      clearTimeout(timer);
      void watching?.then((watch) => watch.close());
    },
  };
}
