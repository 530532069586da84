import { fail, type Outcome } from '../../model/outcome.ts';
import { isPackageName } from '../../parse/package-name.ts';

/** A package of a registry, and the range of versions that is wanted. */
export interface NpmAddress {
  readonly name: string;
  /** A version, a range (`^1.2`) or a tag (`next`); undefined for the newest one. */
  readonly range: string | undefined;
}

/**
 * Parses `npm:package` and `npm:package@range`. Only what a registry has is accepted: for npm, a package can also be a
 * repository or a folder, whose scripts it would run.
 */
export function parseNpmAddress(text: string, ref?: string): Outcome<{ readonly address: NpmAddress }> {
  const [, name = '', given] = /^npm:((?:@[^@/]*\/)?[^@/]*)(?:@(.*))?$/is.exec(text) ?? [];
  if (!isPackageName(name))
    return fail('INSTALL_FAILED', `${JSON.stringify(text)} names no npm package`, 'Write npm:name or npm:name@range.');
  if (given !== undefined && ref !== undefined) return fail('INSTALL_FAILED', `${text} names a version twice`);
  const range = (given ?? ref)?.trim();
  if (range !== undefined && !RANGE.test(range))
    return fail(
      'INSTALL_FAILED',
      `${JSON.stringify(range)} is not a version, a range of versions or a tag of a package`,
    );
  return { ok: true, address: { name, range } };
}

/** No protocol, no path, no option: these characters name nothing but versions and tags. */
const RANGE = /^(?![-.])[A-Za-z0-9.^~<>=|*+_ -]{1,200}$/;

/** Is this one version, not a range? */
export function isVersion(range: string): boolean {
  return /^[v=]?\d+\.\d+\.\d+(?:-[0-9A-Za-z.-]+)?(?:\+[0-9A-Za-z.-]+)?$/.test(range);
}
