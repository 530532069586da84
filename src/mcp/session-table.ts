/** What a table of sessions may hold. */
export interface SessionLimits {
  /** How many there are at most; the one that was silent longest makes room for a new one. */
  readonly maxSessions: number;
  /** A session that asked nothing for so long is ended. */
  readonly idleMs: number;
}

export interface SessionTableOptions<T> extends SessionLimits {
  /** In milliseconds, from anywhere. */
  readonly now: () => number;
  readonly onEnd: (session: T) => void;
}

/** Sessions by id, never more than a limit. One in which something is open is not ended to make room. */
export interface SessionTable<T> {
  /** False where there is no room and none can be made. */
  makeRoom(): boolean;
  add(id: string, session: T): void;
  get(id: string): T | undefined;
  /** Something begins in a session; gives what ends it, to be called once or more. */
  open(id: string): () => void;
  delete(id: string): void;
  /** Ends those that were silent for too long. */
  sweep(): void;
  values(): readonly T[];
}

interface Slot<T> {
  readonly session: T;
  /** Requests that are not answered yet, and streams that somebody reads. */
  open: number;
  lastUsed: number;
}

export function openSessionTable<T>(options: SessionTableOptions<T>): SessionTable<T> {
  const { maxSessions, idleMs, now, onEnd } = options;
  const slots = new Map<string, Slot<T>>();
  const end = (id: string): void => {
    const slot = slots.get(id);
    slots.delete(id);
    if (slot !== undefined) onEnd(slot.session);
  };
  const sweep = (): void => {
    for (const [id, { open, lastUsed }] of slots) if (open === 0 && now() - lastUsed > idleMs) end(id);
  };
  return {
    makeRoom() {
      sweep();
      if (slots.size < maxSessions) return true;
      const silent = [...slots].filter(([, { open }]) => open === 0);
      const [longest] = silent.sort(([, a], [, b]) => a.lastUsed - b.lastUsed);
      if (longest === undefined) return false;
      end(longest[0]);
      return true;
    },
    add: (id, session) => void slots.set(id, { session, open: 0, lastUsed: now() }),
    get: (id) => slots.get(id)?.session,
    open(id) {
      const slot = slots.get(id);
      if (slot === undefined) return () => undefined;
      slot.open += 1;
      let isOpen = true;
      return () => {
        if (isOpen) slot.open -= 1;
        isOpen = false;
        slot.lastUsed = now();
      };
    },
    delete: (id) => void slots.delete(id),
    sweep,
    values: () => [...slots.values()].map(({ session }) => session),
  };
}
