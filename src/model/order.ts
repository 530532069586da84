/** Compares by code points, never by locale: the order is the same everywhere. */
export function compareText(a: string, b: string): number {
  if (a === b) return 0;
  const length = Math.min(a.length, b.length);
  let at = 0;
  while (at < length && a.charCodeAt(at) === b.charCodeAt(at)) at += 1;
  if (at === length) return a.length - b.length;
  return rank(a.charCodeAt(at)) - rank(b.charCodeAt(at));
}

/** Surrogates encode code points above all single units, although some units are greater. */
function rank(unit: number): number {
  return unit >= 0xd800 && unit <= 0xdfff ? unit + 0x10000 : unit;
}
