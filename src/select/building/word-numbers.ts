/** Numbers words from 0 on in the order in which they come, by their codes. */
export interface WordNumbers {
  readonly count: number;
  numberOf(code: number): number;
  codeOf(number: number): number;
  /** The codes of all words so far, by their numbers. */
  readonly codes: Uint32Array;
}

export function openWordNumbers(): WordNumbers {
  let codes = new Uint32Array(1 << 15);
  /** Number and 1 of the word whose code leads here; 0 for none. Never more than half full. */
  let slots = new Uint32Array(2 * codes.length);
  let count = 0;

  const findSlot = (code: number): number => {
    const mask = slots.length - 1;
    let slot = code & mask;
    for (let taken = slots[slot] ?? 0; taken !== 0; taken = slots[slot] ?? 0) {
      if (codes[taken - 1] === code) return slot;
      slot = (slot + 1) & mask;
    }
    return slot;
  };

  const grow = (): void => {
    const grown = new Uint32Array(2 * codes.length);
    grown.set(codes);
    codes = grown;
    slots = new Uint32Array(2 * codes.length);
    for (let number = 0; number < count; number += 1) slots[findSlot(codes[number] ?? 0)] = number + 1;
  };

  return {
    get count() {
      return count;
    },
    get codes() {
      return codes;
    },
    codeOf: (number) => codes[number] ?? 0,
    numberOf(code) {
      const slot = findSlot(code);
      const known = slots[slot] ?? 0;
      if (known !== 0) return known - 1;
      codes[count] = code;
      slots[slot] = count + 1;
      count += 1;
      if (count === codes.length) grow();
      return count - 1;
    },
  };
}
