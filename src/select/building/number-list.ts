/** A list of numbers that grows, in one array: appending makes no garbage. */
export class NumberList {
  #numbers = new Uint32Array(1024);
  #length = 0;

  get length(): number {
    return this.#length;
  }

  push(number: number): void {
    if (this.#length === this.#numbers.length) this.reserve(1);
    this.#numbers[this.#length] = number;
    this.#length += 1;
  }

  at(index: number): number {
    return this.#numbers[index] ?? 0;
  }

  /** Makes room for so many more. */
  reserve(count: number): void {
    if (this.#length + count <= this.#numbers.length) return;
    const grown = new Uint32Array(Math.max(this.#length + count, 2 * this.#numbers.length));
    grown.set(this.#numbers);
    this.#numbers = grown;
  }

  append(numbers: Uint32Array): void {
    this.extend(numbers.length).set(numbers);
  }

  /** Adds so many numbers, for the caller to write. */
  extend(count: number): Uint32Array {
    this.reserve(count);
    this.#length += count;
    return this.#numbers.subarray(this.#length - count, this.#length);
  }

  cut(length: number): this {
    this.#length = length;
    return this;
  }

  /** A view until the list grows. */
  view(from = 0, to: number = this.#length): Uint32Array<ArrayBuffer> {
    return this.#numbers.subarray(from, to);
  }

  copy(): Uint32Array<ArrayBuffer> {
    return this.#numbers.slice(0, this.#length);
  }
}
