import { MemoryColumn } from '../index/column.ts';
import type { Lists, PackedLists } from '../index/lists.ts';

/**
 * Lists that come part by part, put together as they come. Merging them in the end would need the memory of all of them
 * twice.
 */
export class GatheredLists {
  readonly #starts: Uint32Array;
  #values = new Uint32Array();
  #count = 0;

  /** For so many lists at most. */
  constructor(most: number) {
    this.#starts = new Uint32Array(most + 1);
  }

  /** Copies the lists. */
  add({ starts, values }: PackedLists): void {
    const before = this.#starts[this.#count] ?? 0;
    const added = starts.length - 1;
    this.#reserve(before + values.length, this.#count + added);
    this.#values.set(values, before);
    for (let at = 1; at <= added; at += 1) this.#starts[this.#count + at] = before + (starts[at] ?? 0);
    this.#count += added;
  }

  all(): Lists {
    const starts = this.#starts.subarray(0, this.#count + 1);
    return { starts, values: new MemoryColumn(this.#values.subarray(0, starts[this.#count])) };
  }

  /** Makes room for so many values of so many lists, and for the lists to come. The system gives memory only as it is written. */
  #reserve(values: number, lists: number): void {
    if (values <= this.#values.length) return;
    const expected = Math.ceil((ROOM * values * (this.#starts.length - 1)) / lists);
    const grown = new Uint32Array(expected);
    grown.set(this.#values);
    this.#values = grown;
  }
}

/** Later lists may be longer than the first ones. */
const ROOM = 1.3;
