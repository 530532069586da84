/**
 * Prepares both packages for a release: `node tools/prepare-release.ts v0.1.0`. Fails if the tag is not their version. Writes the
 * addresses that npm shows, from variables that the hosting site sets, and lets the hub depend on the published package instead of
 * this folder. README's links and pictures get addresses too, because the package does not contain all of their files.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

interface Manifest {
  readonly version: string;
  readonly dependencies: Readonly<Record<string, string>>;
}

const FOLDERS = ['.', 'hub'];

const [tag = ''] = process.argv.slice(2);
const { GITHUB_SERVER_URL: server = '', GITHUB_REPOSITORY: repository = '' } = process.env;
const packages = FOLDERS.map((folder) => {
  const path = join(folder, 'package.json');
  const manifest: Manifest = JSON.parse(readFileSync(path, 'utf8'));
  return { folder, path, manifest };
});

const faults = packages.flatMap(({ path, manifest: { version } }) =>
  tag === `v${version}` ? [] : [`${path} has version ${version}, which is not the tag "${tag}".`],
);
if (server === '' || repository === '') faults.push('GITHUB_SERVER_URL and GITHUB_REPOSITORY must be set.');
for (const fault of faults) console.error(fault);
if (faults.length > 0) process.exit(1);

const address = `${server}/${repository}`;
for (const { folder, path, manifest } of packages) {
  const { version, dependencies } = manifest;
  const prepared = {
    ...manifest,
    dependencies: 'skillplane' in dependencies ? { ...dependencies, skillplane: version } : dependencies,
    repository: { type: 'git', url: `git+${address}.git`, ...(folder === '.' ? {} : { directory: folder }) },
    homepage: `${address}#readme`,
    bugs: `${address}/issues`,
  };
  writeFileSync(path, `${JSON.stringify(prepared, undefined, 2)}\n`);
}

const readme = readFileSync('README.md', 'utf8').replaceAll(
  /(!?)(\[[^\]]*\])\((?!https?:|#)([^)]+)\)/g,
  (_, picture: string, label: string, path: string) =>
    `${picture}${label}(${address}/${picture === '' ? 'blob' : 'raw'}/${tag}/${path})`,
);
writeFileSync('README.md', readme);
