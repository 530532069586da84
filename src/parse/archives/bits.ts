/** Bits that are written one after another, the lowest of each byte first. */
export interface Bits {
  /** How many bits are written. */
  readonly count: number;
  /** The lowest `length` bits of a value; at most 16. */
  write(value: number, length: number): void;
  /** Continues at the next whole byte. */
  align(): void;
  append(other: Bits): void;
  /** All bytes; the last is filled with zeros. */
  close(): Buffer;
}

export function openBits(): Bits {
  let bytes = Buffer.alloc(4_096);
  let at = 0;
  let pending = 0;
  let pendingBits = 0;
  const bits = {
    get count() {
      return at * 8 + pendingBits;
    },
    write(value: number, length: number) {
      pending |= (value & ((1 << length) - 1)) << pendingBits;
      pendingBits += length;
      while (pendingBits >= 8) {
        if (at === bytes.length) bytes = Buffer.concat([bytes, Buffer.alloc(bytes.length)]);
        bytes[at] = pending & 0xff;
        at += 1;
        pending >>>= 8;
        pendingBits -= 8;
      }
    },
    align() {
      if (pendingBits > 0) bits.write(0, 8 - pendingBits);
    },
    append(other: Bits) {
      const { count } = other;
      const whole = other.close();
      for (let byte = 0; byte < count >> 3; byte += 1) bits.write(whole[byte] ?? 0, 8);
      bits.write(whole[count >> 3] ?? 0, count & 7);
    },
    close() {
      bits.align();
      return bytes.subarray(0, at);
    },
  };
  return bits;
}
