export interface SessionLimits {
  /** A new session beyond this replaces the one that was idle longest. */
  readonly maxSessions: number;
  /** A session without requests for this long is ended. */
  readonly idleMs: number;
}

export interface SessionTableOptions<T> extends SessionLimits {
  /** In milliseconds, from any starting point. */
  readonly now: () => number;
  readonly onEnd: (session: T) => void;
}

/** A limited number of sessions by id. A session with an open request is never ended to make room. */
export interface SessionTable<T> {
  /** Ends an idle session if the table is full; false if every session is busy. */
  makeRoom(): boolean;
  add(id: string, session: T): void;
  get(id: string): T | undefined;
  /** Marks a request as open. Call the result when it ends; further calls do nothing. */
  open(id: string): () => void;
  delete(id: string): void;
  /** Ends sessions that were idle for too long. */
  sweep(): void;
  values(): readonly T[];
}

interface Slot<T> {
  readonly session: T;
  /** Number of unanswered requests and open streams. */
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
