import { createRequire } from 'node:module';

/*
 * The packages that parsing uses. They are loaded on the first call: a warm start parses nothing, and most skills need only the
 * first of them. `require` is untyped, so each function states which package it loads.
 */
const require = createRequire(import.meta.url);

export function loadJsYaml(): typeof import('js-yaml') {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion
  return require('js-yaml') as typeof import('js-yaml');
}

export function loadYaml(): typeof import('yaml') {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion
  return require('yaml') as typeof import('yaml');
}

/** The regular expressions that take linear time for any input. */
export function loadRe2(): typeof import('re2js') {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion
  return require('re2js') as typeof import('re2js');
}

/** Compresses with the same bytes on every machine; those of zlib depend on its version and on the processor. */
export function loadFflate(): typeof import('fflate') {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion
  return require('fflate') as typeof import('fflate');
}

export function loadSemver(): typeof import('semver') {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion
  return require('semver') as typeof import('semver');
}

export function loadDiff(): typeof import('diff') {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion
  return require('diff') as typeof import('diff');
}

export function loadZod(): typeof import('zod') {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion
  return require('zod') as typeof import('zod');
}
