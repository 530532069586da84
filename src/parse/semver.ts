/** A version by the rules of Semantic Versioning 2.0.0. */
export interface SemanticVersion {
  readonly numbers: readonly [major: number, minor: number, patch: number];
  /** The parts behind the hyphen; empty for a release. */
  readonly prerelease: readonly string[];
}

const VERSION =
  /^v?(0|[1-9]\d{0,8})\.(0|[1-9]\d{0,8})\.(0|[1-9]\d{0,8})(?:-([0-9A-Za-z-]+(?:\.[0-9A-Za-z-]+)*))?(?:\+[0-9A-Za-z.-]+)?$/;

/** Undefined if the text is not a semantic version. Build metadata (`+…`) is ignored, as the rules say. */
export function parseSemver(text: string): SemanticVersion | undefined {
  if (text.length > 256) return undefined;
  const match = VERSION.exec(text);
  if (match === null) return undefined;
  const prerelease = match[4]?.split('.') ?? [];
  if (prerelease.some((part) => /^0\d+$/.test(part))) return undefined;
  return { numbers: [Number(match[1]), Number(match[2]), Number(match[3])], prerelease };
}

/** Negative if `a` is older than `b`. */
export function compareSemver(a: SemanticVersion, b: SemanticVersion): number {
  for (const at of [0, 1, 2] as const) if (a.numbers[at] !== b.numbers[at]) return a.numbers[at] - b.numbers[at];
  return comparePrerelease(a.prerelease, b.prerelease);
}

/** Is the version in a range such as `1.2.3`, `^1.2`, `~1.2.3`, `1.x`, `>=1.2 <2`, `1.2 || 2` or `*`? */
export function isInRange(version: SemanticVersion, range: SemverRange): boolean {
  return range.some((bounds) => bounds.every((bound) => isWithin(version, bound)) && admitsPrerelease(version, bounds));
}

/** Alternatives, of which one must hold whole. */
export type SemverRange = readonly (readonly Bound[])[];

interface Bound {
  readonly operator: '>=' | '>' | '<' | '<=' | '=';
  readonly version: SemanticVersion;
}

/** Undefined if the text is not a range. */
export function parseSemverRange(text: string): SemverRange | undefined {
  if (text.length > 256) return undefined;
  const alternatives = text.split('||').map((part) => parseAlternative(part.trim()));
  return alternatives.every((bounds) => bounds !== undefined) ? alternatives : undefined;
}

function parseAlternative(text: string): readonly Bound[] | undefined {
  const words = text.replaceAll(/([<>=~^]+)\s+/g, '$1').split(/\s+/);
  const bounds = words.map((word) => parseComparator(word === '' ? '*' : word));
  return bounds.every((found) => found !== undefined) ? bounds.flat() : undefined;
}

const COMPARATOR = /^([<>]=?|=|\^|~)?v?(\d{1,9}|[xX*])(?:\.(\d{1,9}|[xX*])(?:\.(\d{1,9}|[xX*])(-[0-9A-Za-z.-]+)?)?)?$/;

function parseComparator(word: string): readonly Bound[] | undefined {
  const match = COMPARATOR.exec(word);
  if (match === null) return undefined;
  const [, operator = '', ...rest] = match;
  const numbers = rest.slice(0, 3).flatMap((part) => (part === undefined || /[xX*]/.test(part) ? [] : [Number(part)]));
  const [major, minor, patch] = numbers;
  if (major === undefined) return operator === '<' || operator === '>' ? undefined : [];
  const low = parseSemver(`${major}.${minor ?? 0}.${patch ?? 0}${rest[3] ?? ''}`);
  if (low === undefined) return undefined;
  const next = (at: number): SemanticVersion => bump([major, minor ?? 0, patch ?? 0], at);
  // Of a partial version, the last part that is given counts.
  const end = next(Math.min(numbers.length, 3) - 1);
  switch (operator) {
    case '^':
      return [atLeast(low), below(next(Math.min(firstNonZero(numbers), numbers.length - 1)))];
    case '~':
      return [atLeast(low), below(next(numbers.length === 1 ? 0 : 1))];
    case '>':
      return numbers.length === 3 ? [{ operator: '>', version: low }] : [atLeast(end)];
    case '<':
    case '>=':
      return [{ operator, version: low }];
    case '<=':
      return numbers.length === 3 ? [{ operator, version: low }] : [below(end)];
    default:
      return numbers.length === 3 ? [{ operator: '=', version: low }] : [atLeast(low), below(end)];
  }
}

function firstNonZero(numbers: readonly number[]): number {
  const at = numbers.findIndex((number) => number > 0);
  return at === -1 ? 2 : at;
}

function bump(numbers: readonly [number, number, number], at: number): SemanticVersion {
  const bumped = numbers.map((number, nth) => (nth < at ? number : nth === at ? number + 1 : 0));
  return { numbers: [bumped[0] ?? 0, bumped[1] ?? 0, bumped[2] ?? 0], prerelease: [] };
}

function atLeast(version: SemanticVersion): Bound {
  return { operator: '>=', version };
}

/** A prerelease of the bound itself is not below it. */
function below({ numbers }: SemanticVersion): Bound {
  return { operator: '<', version: { numbers, prerelease: ['0'] } };
}

const HOLDS: Readonly<Record<Bound['operator'], (order: number) => boolean>> = {
  '=': (order) => order === 0,
  '>': (order) => order > 0,
  '>=': (order) => order >= 0,
  '<': (order) => order < 0,
  '<=': (order) => order <= 0,
};

function isWithin(version: SemanticVersion, bound: Bound): boolean {
  return HOLDS[bound.operator](compareSemver(version, bound.version));
}

/** A prerelease counts only if the range names one of the same version. */
function admitsPrerelease({ numbers, prerelease }: SemanticVersion, bounds: readonly Bound[]): boolean {
  if (prerelease.length === 0) return true;
  return bounds.some(
    ({ version, operator }) =>
      operator !== '<' &&
      version.prerelease.length > 0 &&
      version.numbers.every((number, at) => number === numbers[at]),
  );
}

function comparePrerelease(a: readonly string[], b: readonly string[]): number {
  if (a.length === 0 || b.length === 0) return b.length - a.length;
  for (const [at, part] of a.entries()) {
    const other = b[at];
    if (other === undefined) return 1;
    const order = compareParts(part, other);
    if (order !== 0) return order;
  }
  return a.length - b.length;
}

/** Numbers come before words, and by their value. */
function compareParts(a: string, b: string): number {
  const [isNumber, isOtherNumber] = [/^\d+$/.test(a), /^\d+$/.test(b)];
  if (isNumber && isOtherNumber) return Number(a) - Number(b);
  if (isNumber !== isOtherNumber) return isNumber ? -1 : 1;
  return a < b ? -1 : Number(a > b);
}
