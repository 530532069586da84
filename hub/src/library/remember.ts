/** Values by key, the least recently used dropped first. */
export interface Remembered<Value> {
  /** The value of the key, made if it is not there. */
  get(key: string, make: () => Value): Value;
  clear(): void;
}

export function remember<Value>(most: number): Remembered<Value> {
  const kept = new Map<string, Value>();
  return {
    get(key, make) {
      const value = kept.get(key) ?? make();
      kept.delete(key);
      kept.set(key, value);
      const [oldest] = kept.size > most ? kept.keys() : [];
      if (oldest !== undefined) kept.delete(oldest);
      return value;
    },
    clear: () => kept.clear(),
  };
}
