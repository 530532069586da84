import { compareSemver, parseSemver } from 'skillplane/internal';

/** A version as far as choosing between versions goes. */
export interface Choosable {
  readonly version: string;
  readonly state: string;
}

/** The newest published version: of releases if there are any, else of prereleases. */
export function newestOf<V extends Choosable>(versions: readonly V[]): V | undefined {
  const published = versions.filter(({ state }) => state === 'published').sort(byVersion);
  return published.findLast(({ version }) => parseSemver(version)?.prerelease.length === 0) ?? published.at(-1);
}

export function byVersion(a: { readonly version: string }, b: { readonly version: string }): number {
  const [left, right] = [parseSemver(a.version), parseSemver(b.version)];
  if (left === undefined || right === undefined) throw new Error('a version that is kept is a semantic one');
  return compareSemver(left, right);
}
