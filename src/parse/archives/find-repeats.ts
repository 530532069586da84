/** A byte below 256, or a repeat of earlier bytes: its length times 65,536, plus its distance. */
export type PackToken = number;

export const MIN_LENGTH = 3;
const MAX_LENGTH = 258;
const MAX_DISTANCE = 32_768;
const HASH_BITS = 15;
/** How many earlier places are compared. */
const MAX_TRIES = 64;

/** Splits data into bytes and repeats, and gives each to `visit` with the end of what it stands for. */
export function findRepeats(data: Uint8Array, visit: (token: PackToken, end: number) => void): void {
  const places = openPlaces(data);
  let at = 0;
  while (at < data.length) {
    const found = places.find(at);
    places.add(at);
    if (found < MIN_LENGTH << 16) {
      visit(data[at] ?? 0, at + 1);
      at += 1;
      continue;
    }
    // A longer repeat that begins one byte later is worth a byte.
    const next = places.find(at + 1);
    if (next >> 16 > found >> 16) {
      visit(data[at] ?? 0, at + 1);
      at += 1;
      continue;
    }
    const end = at + (found >> 16);
    for (let inner = at + 1; inner < end; inner += 1) places.add(inner);
    visit(found, end);
    at = end;
  }
}

interface Places {
  /** The longest repeat at a position, as a token; 0 if there is none. */
  find(at: number): PackToken;
  add(at: number): void;
}

/** Remembers where each three bytes occurred. */
function openPlaces(data: Uint8Array): Places {
  const latest = new Int32Array(1 << HASH_BITS).fill(-1);
  const earlier = new Int32Array(MAX_DISTANCE).fill(-1);
  const hashAt = (at: number): number => {
    const three = ((data[at] ?? 0) << 16) | ((data[at + 1] ?? 0) << 8) | (data[at + 2] ?? 0);
    return (Math.imul(three, 0x9e3779b1) >>> (32 - HASH_BITS)) & ((1 << HASH_BITS) - 1);
  };
  return {
    find(at) {
      if (at + MIN_LENGTH > data.length) return 0;
      const most = Math.min(MAX_LENGTH, data.length - at);
      let [best, distance] = [MIN_LENGTH - 1, 0];
      let place = latest[hashAt(at)] ?? -1;
      for (let tries = 0; tries < MAX_TRIES && place >= 0 && at - place <= MAX_DISTANCE; tries += 1) {
        if (data[place + best] === data[at + best]) {
          let length = 0;
          while (length < most && data[place + length] === data[at + length]) length += 1;
          if (length > best) [best, distance] = [length, at - place];
          if (best === most) break;
        }
        const before = earlier[place % MAX_DISTANCE] ?? -1;
        if (before >= place) break;
        place = before;
      }
      return distance === 0 ? 0 : (best << 16) | distance;
    },
    add(at) {
      if (at + MIN_LENGTH > data.length) return;
      const hash = hashAt(at);
      earlier[at % MAX_DISTANCE] = latest[hash] ?? -1;
      latest[hash] = at;
    },
  };
}
