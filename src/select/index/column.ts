import type { OpenColumns } from '../../parse/column-file.ts';

type Numbers = Uint8Array | Uint32Array;

/** A long list of numbers that is read in ranges. */
export interface Column<N extends Numbers> {
  readonly length: number;
  range(from: number, to: number): N;
}

export class MemoryColumn<N extends Numbers> implements Column<N> {
  readonly numbers: N;

  constructor(numbers: N) {
    this.numbers = numbers;
  }

  get length(): number {
    return this.numbers.length;
  }

  range(from: number, to: number): N {
    // A view has the type of what it views.
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion
    return this.numbers.subarray(from, to) as N;
  }
}

/** How the bytes of a column are numbers. */
export interface NumberView<N extends Numbers> {
  readonly bytesEach: number;
  readonly of: (bytes: Uint8Array) => N;
}

/** After this many reads, a process searches often enough to load the whole column. */
const READS = 512;

/** A column of a file. Of a large one, single ranges are read at first, and all of it if there are many. */
export function columnOf<N extends Numbers>(file: OpenColumns, nth: number, view: NumberView<N>): Column<N> {
  const { bytesEach, of } = view;
  if (file.isInMemory(nth)) return new MemoryColumn(of(file.read(nth)));
  const length = (file.lengths[nth] ?? 0) / bytesEach;
  let reads = 0;
  let whole: Column<N> | undefined;
  return {
    length,
    range(from, to) {
      reads += 1;
      if (reads > READS || to - from === length) whole ??= new MemoryColumn(of(file.read(nth)));
      return whole?.range(from, to) ?? of(file.read(nth, bytesEach * from, bytesEach * to));
    },
  };
}

export function wholeOf<N extends Numbers>(column: Column<N>): N {
  return column.range(0, column.length);
}
