import { readdirSync } from 'node:fs';
import { join } from 'node:path';

import { describe, expect, test } from 'vitest';

import { runModule, sourceUrl } from '../../../test/support/child.ts';
import { makeTree, type Tree } from '../../../test/support/tree.ts';

/** Loads a module in a process of its own and returns its export `x`; the module may import our name `ours`. */
async function load(path: string, files: Tree, before = ''): Promise<unknown> {
  const root = makeTree(files);
  const ours = makeTree({ 'ours.mjs': `export const from = 'us';` });
  const code = `
    import { pathToFileURL } from 'node:url';
    import { loadModule } from ${JSON.stringify(sourceUrl('platform/process/load-module.ts'))};
    const [root, path, ours] = process.argv.slice(1);
    ${before}
    const place = { root, own: new Map([['ours', pathToFileURL(ours + '/ours.mjs').href]]) };
    const loaded = await loadModule(root + '/' + path, place).catch((error) => ({ x: error.message.replaceAll(root, '') }));
    console.log(JSON.stringify(loaded.x));`;
  return runModule(code, [root, path, ours]);
}

/** Another package of the name that is ours, installed in the skill. */
const THEIRS = {
  'node_modules/ours/package.json': '{"main":"index.js"}',
  'node_modules/ours/index.js': `exports.from = 'them';`,
};

test.each([
  ['m.ts', `import { from } from 'ours'; export const x: string = from;`],
  ['m.mts', `export const x: string = (await import('ours')).from;`],
  ['m.mjs', `import { from } from 'ours'; export const x = from;`],
  ['m.js', `import { from } from 'ours'; export const x = from;`],
  ['m.js', `exports.x = require('ours').from;`],
  ['m.ts', `import { from } from './inner.mjs'; export const x: string = from;`],
])('a toolset that imports our package gets ours, whatever is installed: %s, %s', async (path, text) => {
  const files = { [path]: text, 'inner.mjs': `export { from } from 'ours';`, ...THEIRS };
  expect(await load(path, files)).toBe('us');
});

test.each(['m.ts', 'm.mjs'])(
  'a package that a skill has installed gets the dependencies installed with it: %s',
  async (path) => {
    const files = {
      [path]: `import { from } from 'dependency'; export const x = from;`,
      'node_modules/dependency/package.json': '{"main":"index.js"}',
      'node_modules/dependency/index.js': `exports.from = require('ours').from;`,
      ...THEIRS,
    };
    expect(await load(path, files)).toBe('them');
  },
);

test('a toolset in a skill that is installed as an npm package still gets our package', async () => {
  const root = makeTree({ 'node_modules/skill/m.mjs': `export { from as x } from 'ours';`, ...THEIRS });
  const code = `
    import { loadModule } from ${JSON.stringify(sourceUrl('platform/process/load-module.ts'))};
    const own = new Map([['ours', 'data:text/javascript,export const from = "us";']]);
    const [root] = process.argv.slice(1);
    console.log(JSON.stringify((await loadModule(root + '/m.mjs', { root, own })).x));`;
  expect(await runModule(code, [join(root, 'node_modules/skill')])).toBe('us');
});

test('neither environment variables nor a tsconfig.json change how a toolset is loaded', async () => {
  const before = `
    process.env.JITI_ALIAS = JSON.stringify({ './real.ts': root + '/wrong.ts', ours: root + '/wrong.ts' });
    Object.assign(process.env, { JITI_TSCONFIG_PATHS: 'true', JITI_DEBUG: '1', JITI_TRY_NATIVE: 'true' });`;
  const files = {
    'm.ts': `
      import { a } from './real.ts';
      import { from } from 'ours';
      import other from 'other';
      export const x: unknown = [a, from, other];`,
    'real.ts': `export const a = 'real';`,
    'node_modules/other/index.js': `module.exports = 'other';`,
    'wrong.ts': `export const a = 'wrong', from = 'wrong';`,
    'tsconfig.json': '{"compilerOptions":{"paths":{"ours":["./wrong.ts"],"other":["./wrong.ts"]}}}',
  };
  expect(await load('m.ts', files, before)).toEqual(['real', 'us', 'other']);
});

test('loading a toolset writes nothing beside the module or to a cache', async () => {
  const root = makeTree({ 'm.ts': 'export const x: number = 1;', 'node_modules/': '', 'tmp/': '' });
  const code = `
    import { loadModule } from ${JSON.stringify(sourceUrl('platform/process/load-module.ts'))};
    const [root] = process.argv.slice(1);
    Object.assign(process.env, { JITI_FS_CACHE: 'true', TMPDIR: root + '/tmp' });
    console.log(JSON.stringify((await loadModule(root + '/m.ts', { root, own: new Map() })).x));`;
  expect(await runModule(code, [root])).toBe(1);
  expect(readdirSync(root, { recursive: true, encoding: 'utf8' }).sort()).toEqual(['m.ts', 'node_modules', 'tmp']);
});

test('a syntax error in a toolset is reported with its place, in JavaScript and TypeScript', async () => {
  const text = 'const a = 1;\n\nexport const x = = 5;\n';
  expect(await load('m.mjs', { 'm.mjs': text })).toBe('Unexpected token /m.mjs:3:17');
  expect(await load('m.js', { 'm.js': 'f(1 2);' })).toBe('Unexpected token, expected "," /m.js:1:4');
  expect(await load('m.ts', { 'm.ts': text })).toMatch(/Unexpected token\s+\/m\.ts:3:17/);
});

test('a syntax error thrown by a running toolset is passed on, and the module is not run again', async () => {
  const text = `globalThis.runs = (globalThis.runs ?? 0) + 1; JSON.parse('{' + globalThis.runs);`;
  expect(await load('m.mjs', { 'm.mjs': text })).toContain('JSON at position 1');
});

describe('npm packages of the program that embeds us', () => {
  const pack = (name: string, from: string): Tree => ({
    [`node_modules/${name}/package.json`]: '{"main":"index.js"}',
    [`node_modules/${name}/index.js`]: `exports.from = '${from}';`,
  });

  async function loadBeside(path: string, text: string, own: Tree = {}): Promise<unknown> {
    const root = makeTree({ [path]: text, ...own });
    const host = makeTree({ 'dist/agent.mjs': '', ...pack('shared', 'host'), ...pack('both', 'host') });
    const code = `
      import { loadModule } from ${JSON.stringify(sourceUrl('platform/process/load-module.ts'))};
      const [file, root, host] = process.argv.slice(1);
      const loaded = await loadModule(file, { root, own: new Map(), host }).catch((error) => ({ x: error.message }));
      console.log(JSON.stringify(loaded.x));`;
    return runModule(code, [join(root, path), root, join(host, 'dist/agent.mjs')]);
  }

  test.each(['m.ts', 'm.mjs'])('are found by a toolset after those of its skill: %s', async (path) => {
    const text = `import * as a from 'shared'; import * as b from 'both'; export const x = [a.from, b.from];`;
    expect(await loadBeside(path, text, pack('both', 'skill'))).toEqual(['host', 'skill']);
    expect(await loadBeside(path, `import 'missing'; export const x = 1;`)).toMatch(
      /Cannot find (?:package|module) 'missing'/,
    );
  });

  test('are found by a CommonJS toolset', async () => {
    expect(await loadBeside('m.js', `exports.x = require('shared').from;`)).toBe('host');
  });
});
