/** Between blanks, texts can be read apart from each other: no rule looks beyond one. */
export function isBlankUnit(unit: number): boolean {
  return unit === 0x20 || unit === 0x0a || unit === 0x09;
}

/** The ideographs that Unicode has no other form of. */
export function isHan(unit: number): boolean {
  return unit >= 0x4e00 && unit <= 0x9ffc;
}

/** Of how many units a sign is that means the same as a blank between words; 0 for anything else. */
export function countSigns(unit: number, next: number): number {
  if (unit >= 0xd83c && unit <= 0xd83e) return isPicture(unit, next) ? 2 : 0;
  return (unit >= 0x2010 && unit <= 0x2027) ||
    (unit >= 0x2190 && unit <= 0x23ff) ||
    (unit >= 0x2500 && unit <= 0x2775) ||
    (unit >= 0x2794 && unit <= 0x27bf) ||
    (unit >= 0x3000 && unit <= 0x3002) ||
    (unit >= 0x3008 && unit <= 0x3011) ||
    OTHER_SIGNS.has(unit)
    ? 1
    : 0;
}

const OTHER_SIGNS: ReadonlySet<number> = new Set(
  Array.from('\u00a7\u00a9\u00ab\u00ae\u00b0\u00b1\u00b6\u00b7\u00bb\u00d7\u00f7\ufe0e\ufe0f！（），：；？', (sign) =>
    sign.charCodeAt(0),
  ),
);

function isPicture(high: number, low: number): boolean {
  if (low < 0xdc00 || low > 0xdfff) return false;
  const point = 0x10000 + ((high - 0xd800) << 10) + (low - 0xdc00);
  return point >= 0x1f300 && point <= 0x1faff;
}
