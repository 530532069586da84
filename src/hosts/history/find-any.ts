/** Finds the first place of any needle in `bytes` from `from` to `end`; -1 if there is none. */
export type FindAny = (bytes: Uint8Array, from: number, end: number) => number;

/**
 * Searches for several texts at once by Wu and Manber's method: it looks at two bytes and mostly skips nearly as many as the
 * shortest needle is long. So long needles make it fast: one pass at several times the speed of one native search per needle.
 */
export function compileNeedles(needles: readonly string[]): FindAny {
  const texts = needles.map((needle) => Buffer.from(needle));
  const length = Math.min(...texts.map((text) => text.length));
  const skips = new Uint8Array(65_536).fill(Math.min(255, length - 1));
  for (const text of texts)
    for (let at = 1; at < length; at += 1) {
      const pair = ((text[at - 1] ?? 0) << 8) | (text[at] ?? 0);
      skips[pair] = Math.min(skips[pair] ?? 0, length - 1 - at);
    }
  return (bytes, from, end) => {
    let at = from + length - 1;
    while (at < end) {
      const skip = skips[((bytes[at - 1] ?? 0) << 8) | (bytes[at] ?? 0)] ?? 1;
      if (skip > 0) at += skip;
      else {
        const start = at - length + 1;
        // A loop, since a closure for each place that may be one costs more than all the rest.
        for (const text of texts) if (start + text.length <= end && isAt(bytes, start, text)) return start;
        at += 1;
      }
    }
    return -1;
  };
}

/** Is the text at this place? */
export function isAt(bytes: Uint8Array, start: number, text: Uint8Array): boolean {
  for (let at = 0; at < text.length; at += 1) if (bytes[start + at] !== text[at]) return false;
  return true;
}
