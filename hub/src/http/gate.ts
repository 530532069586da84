/** Lets a few in at a time; the next wait for their turn. */
export interface Gate {
  /** Resolves when it is one's turn; undefined, at once, if too many wait already. Dispose it to let the next in. */
  enter(): Promise<Disposable | undefined>;
}

export function openGate(maxInside: number, maxWaiting: number): Gate {
  const waiting: (() => void)[] = [];
  let inside = 0;
  const leave = (): void => {
    const next = waiting.shift();
    if (next === undefined) inside -= 1;
    else next();
  };
  return {
    async enter() {
      if (inside < maxInside) inside += 1;
      else if (waiting.length >= maxWaiting) return undefined;
      else await new Promise<void>((resolve) => waiting.push(resolve));
      return { [Symbol.dispose]: leave };
    },
  };
}
