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
  const tell = (changed: readonly Skill[]): void => {
    onSkills(changed);
    for (const listener of listeners) listener();
  };
  const watchSince = (before: object): void => {
    // Somebody looked meanwhile, such as a tool that writes skills: what they found is compared with nothing any more.
    if (skills.catalog() !== before) tell(skills.catalog().skills);
    watching = skills.watch(({ added, changed, removed }) => tell([...added, ...changed, ...removed]));
    watching.catch(onError);
  };
  return {
    onChange(listener) {
      listeners.add(listener);
      timer ??= setTimeout(watchSince, DELAY_MS, skills.catalog()).unref();
      return { [Symbol.dispose]: () => void listeners.delete(listener) };
    },
    [Symbol.dispose]() {
      listeners.clear();
      clearTimeout(timer);
      void watching?.then((watch) => watch.close());
    },
  };
}
