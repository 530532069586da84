import type { CatalogChange } from '../../src/catalog/difference.ts';

/** The names of the skills in a change. */
export interface ChangedNames {
  readonly added: readonly string[];
  readonly changed: readonly string[];
  readonly removed: readonly string[];
}

export function namesOf({ added, changed, removed }: CatalogChange): ChangedNames {
  const names = (skills: CatalogChange['added']): readonly string[] => skills.map((skill) => skill.name);
  return { added: names(added), changed: names(changed), removed: names(removed) };
}

export interface ChangeQueue {
  readonly listener: (change: CatalogChange) => void;
  /** The next change that was not yet returned; waits for one. */
  readonly next: () => Promise<ChangedNames>;
}

export function queueChanges(): ChangeQueue {
  const waiting: CatalogChange[] = [];
  let wake = (): void => undefined;
  return {
    listener: (change) => {
      waiting.push(change);
      wake();
    },
    next: async () => {
      for (;;) {
        const change = waiting.shift();
        if (change !== undefined) return namesOf(change);
        await new Promise<void>((resolve) => {
          wake = resolve;
        });
      }
    },
  };
}
