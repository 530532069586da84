import { createHash } from 'node:crypto';

import type { NpmOrigin } from '../../model/origin.ts';
import { fail, type Outcome } from '../../model/outcome.ts';
import { ARCHIVE_LIMITS } from '../../parse/archives/open-archive.ts';
import { isPackageName } from '../../parse/package-name.ts';
import { packNpmPackage, type PackedPackage } from '../../platform/packages/npm-pack.ts';
import { openArchiveFiles } from './archive-files.ts';
import { findInRepository, suggestName } from './find-skills.ts';
import type { OpenOrigin, OriginKind, OriginOptions } from './origin-kind.ts';

/** A package of a registry, and the range of versions that is wanted. */
interface NpmAddress {
  readonly name: string;
  /** A version, a range (`^1.2`) or a tag (`next`); undefined for the newest one. */
  readonly range: string | undefined;
}

/** Packages of npm registries, which the user's own npm fetches. */
export const npmKind: OriginKind<NpmOrigin, NpmAddress> = {
  parse: (text, { ref }) => parseNpmAddress(text, ref),
  async resolve(address, options) {
    const packed = await pack(address, options);
    return packed.ok ? open(address, packed.packed) : packed;
  },
  async fetch({ url, ref, version, integrity }, options) {
    const parsed = parseNpmAddress(url, version);
    if (!parsed.ok) return parsed;
    const packed = await pack(parsed.address, options);
    if (!packed.ok) return packed;
    if (packed.packed.version !== version || packed.packed.integrity !== integrity)
      return fail(
        'INSTALL_FAILED',
        `${url}@${version} is no longer the package in the lock file; nothing was installed`,
      );
    return open({ ...parsed.address, range: ref }, packed.packed);
  },
  async newest({ url, ref }, options) {
    const parsed = parseNpmAddress(url, ref);
    return parsed.ok ? npmKind.resolve(parsed.address, options) : parsed;
  },
};

/**
 * Parses `npm:package` and `npm:package@range`. Only registry packages are accepted: to npm, a package can also be a
 * repository or a folder, whose scripts it would run.
 */
function parseNpmAddress(text: string, ref?: string): Outcome<{ readonly address: NpmAddress }> {
  const [, name = '', given] = /^npm:((?:@[^@/]*\/)?[^@/]*)(?:@(.*))?$/is.exec(text) ?? [];
  if (!isPackageName(name))
    return fail('INSTALL_FAILED', `${JSON.stringify(text)} is not an npm package`, {
      advice: 'Write npm:name or npm:name@range.',
    });
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

async function pack(
  { name, range }: NpmAddress,
  options: OriginOptions,
): Promise<Outcome<{ readonly packed: PackedPackage }>> {
  const maxBytes = ARCHIVE_LIMITS.packedBytes;
  const packed = await packNpmPackage(range === undefined ? name : `${name}@${range}`, { ...options, maxBytes });
  if (!packed.ok) return packed;
  const { bytes, integrity } = packed.packed;
  const digest = `sha512-${createHash('sha512').update(bytes).digest('base64')}`;
  return digest === integrity ? packed : fail('INSTALL_FAILED', `npm packed other bytes of ${name} than it says`);
}

function open({ name, range }: NpmAddress, packed: PackedPackage): Outcome<{ readonly opened: OpenOrigin }> {
  const { bytes, version, integrity } = packed;
  const url = `npm:${name}`;
  const archive = openArchiveFiles(bytes);
  if (!archive.ok) return fail(archive.code, `${url}@${version}: ${archive.message}`, archive.next);
  const { files, wrapper } = archive;
  const origin: NpmOrigin = { kind: 'npm', url, ...(range === undefined ? {} : { ref: range }), version, integrity };
  const opened: OpenOrigin = {
    display: range === undefined ? url : `${url}@${range}`,
    url,
    notices: [],
    choice: version,
    files,
    originOf: () => ({ ok: true, origin }),
    find: () => findInRepository(files, { name: suggestName(name), path: wrapper, layout: 'package' }),
    [Symbol.asyncDispose]: () => files.close(),
  };
  return { ok: true, opened };
}
