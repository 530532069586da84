import { loadSemver } from './lazy-packages.cjs';

/** A version by the rules of Semantic Versioning 2.0.0. */
export interface SemanticVersion {
  /** Without a leading `v` and without build metadata (`+…`), which does not count. */
  readonly version: string;
  /** The parts behind the hyphen; empty for a release. */
  readonly prerelease: readonly (string | number)[];
}

/** Undefined if the text is not exactly a semantic version; a leading `v` may precede it. */
export function parseSemver(text: string): SemanticVersion | undefined {
  const parsed = text.trim() === text ? loadSemver().parse(text) : null;
  return parsed === null ? undefined : { version: parsed.version, prerelease: parsed.prerelease };
}

/** Negative if `a` is older than `b`. */
export function compareSemver(a: SemanticVersion, b: SemanticVersion): number {
  return loadSemver().compare(a.version, b.version);
}

/** A range such as `1.2.3`, `^1.2`, `~1.2.3`, `1.x`, `>=1.2 <2`, `1 - 2`, `1.2 || 2` or `*`, as npm reads it. */
export interface SemverRange {
  readonly range: string;
}

const MAX_RANGE_LENGTH = 256;

/** Undefined if the text is not a range. */
export function parseSemverRange(text: string): SemverRange | undefined {
  const range = text.length > MAX_RANGE_LENGTH ? null : loadSemver().validRange(text);
  return range === null ? undefined : { range };
}

/** A prerelease is in a range only if the range names one of the same version. */
export function isInRange({ version }: SemanticVersion, { range }: SemverRange): boolean {
  return loadSemver().satisfies(version, range);
}

/**
 * Orders versions as people write them (`1.0`, `v2`, `1.2.3-beta`): only the first three numbers count, and a text without a
 * number is 0.0.0. Negative if `a` is older than `b`.
 */
export function compareLooseVersions(a: string, b: string): number {
  const { coerce, compare } = loadSemver();
  return compare(coerce(a) ?? '0.0.0', coerce(b) ?? '0.0.0');
}
