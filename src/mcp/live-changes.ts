import type { Skills } from '../engine/open-skills.ts';

/** Announces changes of skills on disk while a server runs. */
export interface LiveChanges extends Disposable {
  onChange(listener: () => void): Disposable;
}

/** Watching a thousand folders takes a tenth of a second, so the first requests are answered before that. */
const DELAY_MS = 500;

/** Starts watching shortly after the first listener is added, and also reports earlier changes. */
export function openChanges(skills: Skills, onError: (error: unknown) => void): LiveChanges {
  const listeners = new Set<() => void>();
  let watching: ReturnType<Skills['watch']> | undefined;
  let timer: NodeJS.Timeout | undefined;
  const tell = (): void => {
    for (const listener of listeners) listener();
  };
  const watchSince = (before: object): void => {
    // The catalog was refreshed before watching began, for example by write_skill: the watcher will not report that.
    if (skills.catalog() !== before) tell();
    watching = skills.watch(tell);
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
