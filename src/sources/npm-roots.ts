import { basename, dirname, join } from 'node:path';

import { parseJson } from '../model/json.ts';
import { findPathFault } from '../model/path-fault.ts';
import type { Source, SourceRoot } from '../model/source.ts';
import { isPackageName } from '../parse/package-name.ts';
import { realPath } from '../platform/files/files.ts';
import { readInside } from '../platform/files/inside.ts';

const MAX_MANIFEST_BYTES: number = 256 * 1024;
const MAX_NAMED = 100;

/**
 * The folders with skills of installed npm packages: the package itself, `skills/`, `dist/skills/`, and the paths in the field
 * `skills` of its package.json. Only the named packages count.
 */
export function placePackages(
  source: Source,
  projects: readonly string[],
  packages: readonly string[],
): readonly SourceRoot[] {
  const boundary = projects.at(-1);
  return projects.flatMap((project, ordinal) =>
    packages.filter(isPackageName).flatMap((name) => {
      const dir = join(project, 'node_modules', name);
      const folders = [join(dir, 'skills'), join(dir, 'dist/skills')].map((path) => ({ path }));
      const named = readNamed(dir).flatMap((path) => [{ path: join(dir, path) }, holderOf(join(dir, path))]);
      return [holderOf(dir), ...folders, ...named].map((root) => ({ ...source, ...root, ordinal, boundary }));
    }),
  );
}

/** A root with this folder as its only skill. */
function holderOf(dir: string): Pick<SourceRoot, 'path' | 'only'> {
  return { path: dirname(dir), only: basename(dir) };
}

/** Paths inside the package that its package.json names; anything else in the field is for other programs. */
function readNamed(dir: string): readonly string[] {
  const realDir = realPath(dir);
  const read =
    realDir === undefined ? undefined : readInside(realDir, 'package.json', { maxBytes: MAX_MANIFEST_BYTES });
  const manifest = read?.ok === true ? parseJson(Buffer.from(read.bytes).toString()) : undefined;
  const field: unknown =
    typeof manifest === 'object' && manifest !== null && 'skills' in manifest ? manifest.skills : [];
  const paths: readonly unknown[] = Array.isArray(field) ? field : [field];
  return paths
    .slice(0, MAX_NAMED)
    .filter((path) => typeof path === 'string')
    .map((path) => path.replace(/^\.\//, '').replace(/\/+$/, ''))
    .filter((path) => findPathFault(path) === undefined && !['skills', 'dist/skills'].includes(path));
}
