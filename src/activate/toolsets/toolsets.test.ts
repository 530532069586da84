import { existsSync, readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

import { expect, onTestFinished, test } from 'vitest';

import { RUNS_SOURCES } from '../../../test/support/child.ts';
import { catalogOf, foundSkill } from '../../../test/support/found.ts';
import { link, makeTree, writeTree, type Tree } from '../../../test/support/tree.ts';
import type { LocatedSkill } from '../../catalog/locate.ts';
import { fail, type Outcome } from '../../model/outcome.ts';
import { VERSION } from '../../model/version.ts';
import { ToolRegistry } from './tool-registry.ts';
import { openToolsetPool } from './toolset-pool.ts';
import { loadToolsets, type LoadedToolsets, type Prepared, type ToolsetPorts } from './toolsets.ts';

/** A skill called `hello` with these files and toolsets. */
function locate(files: Tree, ...toolsets: readonly string[]): LocatedSkill {
  const realDir = join(makeTree({ 'hello/SKILL.md': '' }), 'hello');
  writeTree(realDir, files);
  const [skill] = catalogOf([foundSkill(realDir, { toolsets })]).skills;
  if (skill === undefined) throw new Error('no skill');
  return { skill, realDir };
}

function inPlace(runDir: string): Outcome<Prepared> {
  return { ok: true, runDir, dispose: () => undefined };
}

const TRUSTING: ToolsetPorts = {
  prepare: ({ realDir }) => inPlace(realDir),
  // A busy machine may take longer than users should wait.
  loadTimeoutMs: 60_000,
};

/** The one toolset `file:T`, loaded; closed when the test is over. */
async function load(
  files: Tree,
  { reference = `${Object.keys(files)[0]}:T`, ...ports }: Partial<ToolsetPorts> & { readonly reference?: string } = {},
): Promise<Outcome<LoadedToolsets>> {
  return loadOne(locate(files, reference), ports);
}

async function loadOne(located: LocatedSkill, ports: Partial<ToolsetPorts> = {}): Promise<Outcome<LoadedToolsets>> {
  const outcome = await loadToolsets(located, { ...TRUSTING, ...ports });
  if (outcome.ok) onTestFinished(outcome.close);
  return (outcome.ok ? outcome.failures[0]?.failure : undefined) ?? outcome;
}

function ready(outcome: Outcome<LoadedToolsets>): LoadedToolsets {
  if (!outcome.ok) throw new Error(outcome.message);
  onTestFinished(outcome.close);
  return outcome;
}

function failed(why: string, reference = 't.mjs:T'): object {
  return { ok: false, code: 'TOOLSET_FAILED', message: `toolset "${reference}" of the skill "hello": ${why}` };
}

/** A toolset in JavaScript without imports, with one tool that does this. */
function module(execute: string, before = ''): string {
  return `${before}\nexport const T = [{ name: 'tool', description: 'Does it.', execute: ${execute} }];\n`;
}

/** Calls the first tool with these arguments and returns its output or its failure. */
async function run(
  outcome: Outcome<Pick<LoadedToolsets, 'tools'>>,
  args: unknown = {},
  signal?: AbortSignal,
): Promise<unknown> {
  if (!outcome.ok) throw new Error(outcome.message);
  const called = await outcome.tools[0]?.execute(args, signal === undefined ? {} : { signal });
  return called?.ok === true ? called.output : called;
}

const SEED_EXAMPLE = `
import { z } from 'zod';
import { Tool } from '@agent/tools';

export const myTool = Tool.define('my-tool', {
  description: 'Does something useful',
  parameters: z.object({
    input: z.string(),
  }),
  execute: async (args, ctx) => ({
    title: 'Completed',
    metadata: {},
    output: \`Processed: \${args.input}\`,
  }),
});

export const MyToolset = [myTool];
`;

test('the example toolset from the documentation works unchanged', async () => {
  const located = locate({ 'toolsets/index.ts': SEED_EXAMPLE }, 'toolsets/index:MyToolset');
  const { tools, failures } = ready(await loadToolsets(located, TRUSTING));
  expect(failures).toEqual([]);
  const registry = new ToolRegistry();
  for (const tool of tools) expect(registry.register(tool, { skill: 'hello' })).toEqual({ ok: true });
  const [tool] = registry.list();
  expect([tool?.name, tool?.description]).toEqual(['my-tool', 'Does something useful']);
  expect(tool?.schema()).toMatchObject({ properties: { input: { type: 'string' } }, required: ['input'] });
  expect(await registry.call('my-tool', { input: 'it' })).toEqual({
    ok: true,
    title: 'Completed',
    metadata: {},
    output: 'Processed: it',
  });
  expect(await registry.call('my-tool', { input: 5 })).toMatchObject({
    code: 'TOOLSET_FAILED',
    message: 'my-tool: the arguments are wrong: input: Invalid input: expected string, received number',
  });
});

test('a TypeScript toolset may use enums, imports without extension and top-level await', async () => {
  const outcome = await load({
    't.mts': `
      import { z } from 'zod/v4';
      import { Tool } from '@agent/tools';
      import { greeting } from './lib/greeting';
      import { mark } from './lib/mark.js';
      enum Mood { Good = 'good' }
      class Toolset {
        constructor(private readonly mood: Mood = Mood.Good) {}
        getTools() {
          return [Tool.define('greet', {
            description: 'Greets.',
            parameters: z.object({ name: z.string().default('you') }),
            execute: ({ name }: { name: string }): string => [greeting, name, this.mood, mark].join(' '),
          })];
        }
      }
      await new Promise((resolve) => setTimeout(resolve, 5));
      export { Toolset as T };`,
    'lib/greeting.ts': `export const greeting: string = 'hello';`,
    'lib/mark.ts': `export const mark: string = '!';`,
  });
  expect(await run(outcome)).toBe('hello you good !');
});

test('a JavaScript toolset works as ES module and CommonJS, with our own zod and @agent/tools', async () => {
  const body = `Tool.define('tool', { description: '', parameters: z.object({ n: z.number() }), execute: ({ n }) => String(n + 1) })`;
  const imports = `import { z } from 'zod'; import { Tool } from '@agent/tools';`;
  const wrongZod = { 'node_modules/zod/package.json': '{"main":"x.js"}', 'node_modules/zod/x.js': 'exports.z = null;' };
  const modules = {
    't.mjs': `${imports} export const T = ${body};`,
    't.js': `${imports} export const T = ${body};`,
    'cjs/t.js': `const { z } = require('zod'); const { Tool } = require('@agent/tools'); module.exports = { T: ${body} };`,
    'default.mjs': `${imports} export default { T: ${body} };`,
    't.ts': `${imports} export default { T: ${body} };`,
  };
  for (const [path, text] of Object.entries(modules))
    expect(await run(await load({ [path]: text, ...wrongZod }), { n: 1 })).toBe('2');
});

// Node 22 cannot run the sources; what is built for it is tried with the package.
test.for(['t.ts', 't.mjs'])('a toolset can import skillplane wherever its skill lies: %s', async (path, { skip }) => {
  skip(!RUNS_SOURCES, 'this version of Node.js cannot run the sources directly');
  const outcome = await load({ [path]: module('() => VERSION', `import { VERSION } from 'skillplane';`) });
  expect(await run(outcome)).toBe(VERSION);
});

test('a toolset reference may omit the extension or index, and may use dots for slashes', async () => {
  const own = (name: string): string => module(`() => '${name}'`);
  const files = {
    'a.ts': own('a.ts'),
    'a.mts': own('a.mts'),
    'a.js': own('a.js'),
    'a.mjs': own('a.mjs'),
    'b/index.mjs': own('b/index.mjs'),
    'c.mjs': own('c.mjs'),
    'c.mjs.mjs': own('c.mjs.mjs'),
    'd.e.mjs': own('d.e.mjs'),
    'd/e.ts': own('d/e.ts'),
    'f/g.js': own('f/g.js'),
  };
  const expected = {
    'a:T': 'a.ts',
    'a.js:T': 'a.js',
    './a.mjs : T': 'a.mjs',
    'b:T': 'b/index.mjs',
    'b/index:T': 'b/index.mjs',
    'c.mjs:T': 'c.mjs',
    'd.e:T': 'd.e.mjs',
    'f.g:T': 'f/g.js',
  };
  for (const [reference, output] of Object.entries(expected))
    expect([reference, await run(await load(files, { reference }))]).toEqual([reference, output]);
});

test('a tool of a toolset knows its skill and keeps its state between calls', async () => {
  const outcome = await load({
    't.mjs': module(
      '(args, { skill, signal }) => ({ output: [skill.name, skill.dir, signal.aborted, ++count] })',
      'let count = 0;',
    ),
  });
  const [, dir] = JSON.parse(String(await run(outcome))) as string[];
  expect(JSON.parse(String(await run(outcome)))).toEqual(['hello', dir, false, 2]);
  expect(existsSync(join(dir ?? '', 't.mjs'))).toBe(true);
});

test('arguments and results of toolset tools pass unchanged, whatever characters they contain', async () => {
  const outcome = await load({ 't.mjs': module('(args) => ({ title: args.text, metadata: args, output: args })') });
  if (!outcome.ok) throw new Error(outcome.message);
  const args = { text: 'Grüße 👋 \u0000 \u2028', list: [{ constructor: 'x' }], big: 'x'.repeat(500_000) };
  expect(await outcome.tools[0]?.execute(args)).toEqual({
    ok: true,
    title: args.text,
    metadata: args,
    output: JSON.stringify(args),
  });
  expect(await outcome.tools[0]?.execute({ when: new Date(0), run: () => 1 })).toMatchObject({
    ok: true,
    output: '{"when":"1970-01-01T00:00:00.000Z"}',
  });
  expect(await outcome.tools[0]?.execute(Symbol('x'))).toMatchObject({ ok: false, code: 'TOOLSET_FAILED' });
});

test.each([
  ['a missing file', {}, 'the skill has no file t.mjs (.ts, .mts, .js, .mjs, or index in a folder)'],
  ['a missing export', { 't.mjs': 'export const A = 1, B = 2;' }, 'it has no export "T"; there are A, B'],
  ['no exports at all', { 't.mjs': '' }, 'it has no export "T"; there are none'],
  ['a wrong shape', { 't.mjs': 'export const T = 5;' }, 'it is a number, not a list of tools'],
  ['a throw', { 't.mjs': '\n\nthrow new Error("boom");' }, 'boom (t.mjs:3)'],
  [
    'a throw of something other than an error',
    { 't.mjs': 'throw { toString: null };' },
    'an object that is not an error was thrown',
  ],
  ['a rejection', { 't.mjs': 'await Promise.reject(new Error("boom"));' }, 'boom (t.mjs:1)'],
  ['a syntax error', { 't.mjs': 'const a = 1;\n\nexport const T = = 5;' }, 'Unexpected token t.mjs:3:17'],
  [
    'a missing package',
    { 't.mjs': 'import "no-such-package";' },
    "Cannot find package 'no-such-package' imported from t.mjs",
  ],
  ['an exit of the process', { 't.mjs': 'process.exit(3);' }, 'it ended its thread with code 3'],
  [
    'parameters that are not an object',
    { 't.mjs': 'export const T = { name: "n", description: "", parameters: { type: "string" }, execute() {} };' },
    'the parameters of the tool "n" are not an object',
  ],
])('a broken toolset fails with its reason: %s', async (_, files, why) => {
  expect(await load(files, { reference: 't.mjs:T' })).toEqual(failed(why));
});

test.each([
  ['a throw', '\n\nthrow new Error("boom");', 'boom (t.ts:3)'],
  ['a syntax error', 'const a = 1;\n\nexport const x: = 5;', 'ParseError: Unexpected token t.ts:3:16'],
  ['a syntax error in an imported file', 'import "./other.mjs";', 'ParseError: Unexpected token other.mjs:2:10'],
  ['a missing module', 'import "./no-such-module";', "Cannot find module './no-such-module' (t.ts:1)"],
])('a broken TypeScript toolset fails with file and line: %s', async (_, text, why) => {
  const outcome = await load({ 't.ts': text, 'other.mjs': '\nconst a = = 5;' });
  expect(outcome).toEqual(failed(why, 't.ts:T'));
});

test.each([
  ['an await that never ends', 'await new Promise(() => {});'],
  ['an endless loop', 'for (;;);'],
])('loading a toolset is given up after its time limit: %s', async (_, before) => {
  const outcome = await load({ 't.mjs': module('() => 1', before) }, { loadTimeoutMs: 300 });
  expect(outcome).toEqual(failed('the import timed out after 0.3 s'));
});

test('working toolsets of a skill load even if others fail, and each failure has a reason', async () => {
  const files = { 'good.mjs': module('() => "fine"'), 'bad.mjs': 'throw new Error("boom");' };
  const located = locate(files, 'bad:T', 'good:T', 'good', 'good:T');
  const { tools, failures } = ready(await loadToolsets(located, TRUSTING));
  expect(tools.map(({ name }) => name)).toEqual(['tool']);
  expect(failures.map(({ reference, failure }) => [reference, failure.code, failure.message.split('": ')[1]])).toEqual([
    ['bad:T', 'TOOLSET_FAILED', 'boom (bad.mjs:1)'],
    ['good', 'TOOLSET_FAILED', 'it must be written as "path:Export"'],
  ]);
});

test.each([
  ['../outside.mjs:T', 'PATH_REFUSED', '".."'],
  ['a/../../outside.mjs:T', 'PATH_REFUSED', '".."'],
  ['/etc/outside.mjs:T', 'PATH_REFUSED', 'absolute'],
  ['C:/outside.mjs:T', 'PATH_REFUSED', 'absolute'],
  ['a\\b.mjs:T', 'PATH_REFUSED', 'backslash'],
  ['http://localhost/x.mjs:T', 'PATH_REFUSED', 'empty segment'],
  ['data:text/javascript,export const T = 1:T', 'TOOLSET_FAILED', 'no file'],
  ['file.mjs:T', 'PATH_REFUSED', 'a link that leaves the skill'],
  ['folder/x.mjs:T', 'PATH_REFUSED', 'real path is outside'],
  ['directory.mjs:T', 'PATH_REFUSED', 'not a regular file'],
])('a toolset whose file is not inside the skill is not imported: %s', async (reference, code, why) => {
  const outside = makeTree({ 'x.mjs': `import { writeFileSync } from 'node:fs'; writeFileSync('canary', '');` });
  const files = { 'file.mjs': link(join(outside, 'x.mjs')), folder: link(outside), 'directory.mjs/': '' };
  expect(await load(files, { reference })).toMatchObject({ ok: false, code, message: expect.stringContaining(why) });
});

test('a toolset may be a link to another file of the same skill', async () => {
  expect(await run(await load({ 't.mjs': link('lib/real.mjs'), 'lib/real.mjs': module('() => "real"') }))).toBe('real');
});

test('loading toolsets of an untrusted skill imports nothing', async () => {
  const located = locate(
    {
      't.mjs': `import { writeFileSync } from 'node:fs'; writeFileSync(import.meta.dirname + '/canary', ''); export const T = [];`,
    },
    't.mjs:T',
  );
  const prepare = (): Outcome<never> => fail('NOT_TRUSTED', 'say "skillplane trust hello" first');
  const refusal = { ok: false, code: 'NOT_TRUSTED', message: 'say "skillplane trust hello" first' };
  expect(await loadToolsets(located, { prepare })).toEqual(refusal);
  expect(await loadToolsets(located, { prepare: () => Promise.resolve(prepare()) })).toEqual(refusal);
  expect(readdirSync(located.realDir).sort()).toEqual(['SKILL.md', 't.mjs']);
  await loadToolsets(located, TRUSTING);
  expect(readdirSync(located.realDir)).toContain('canary');
});

test('loading several toolsets of a skill checks trust only once', async () => {
  const located = locate({ 't.mjs': module('() => 1') }, 't:T', 't.mjs:T');
  let questions = 0;
  const prepare = (asked: LocatedSkill): Outcome<Prepared> => {
    questions += 1;
    return asked === located ? inPlace(asked.realDir) : fail('NOT_TRUSTED', 'another skill');
  };
  expect(ready(await loadToolsets(located, { prepare })).tools.length).toBe(2);
  expect(questions).toBe(1);
});

test('loading toolsets of a skill that has none succeeds without trust', async () => {
  const prepare = (): Outcome<never> => fail('NOT_TRUSTED', 'no');
  expect(await loadToolsets(locate({}), { prepare })).toMatchObject({ ok: true, tools: [], failures: [] });
});

test('a tool that loops or exits fails alone, and the pool restarts its toolset if still trusted', async () => {
  const execute = `({ how }) => { if (how === 'loop') for (;;); if (how === 'exit') process.exit(1); return String(++count); }`;
  let trusted: Outcome = { ok: true };
  const located = locate({ 't.mjs': module(execute, 'let count = 0;') }, 't:T');
  const pool = openToolsetPool({ ...TRUSTING, judge: () => trusted });
  onTestFinished(() => pool.close());
  const call = (args: object = {}, signal?: AbortSignal): Promise<unknown> =>
    pool.use<unknown>(located, 'tool', (now) => run({ ok: true, ...now }, args, signal));
  expect(await call()).toBe('1');
  expect(await call({ how: 'exit' })).toMatchObject({
    code: 'TOOLSET_FAILED',
    message: 'tool failed: it ended its thread with code 1',
  });
  expect(new Set(await Promise.all([call(), call()]))).toEqual(new Set(['1', '2']));
  const looped = call({ how: 'loop' }, AbortSignal.timeout(50));
  expect(await looped).toMatchObject({ message: 'tool failed: it was stopped' });
  expect(await call()).toMatchObject({ message: expect.stringContaining('one of its calls did not stop') });
  expect(await call()).toBe('1');
  await call({ how: 'exit' });
  trusted = fail('NOT_TRUSTED', 'it has changed');
  expect(await call()).toMatchObject({ code: 'NOT_TRUSTED' });
});

test('the folder that a toolset runs from is given back when its thread is replaced, closed or its skill gone', async () => {
  const folders: string[] = [];
  const prepare = ({ realDir }: LocatedSkill): Outcome<Prepared> => {
    const at = folders.push('open') - 1;
    return { ok: true, runDir: realDir, dispose: () => (folders[at] = 'given back') };
  };
  const files = { 't.mjs': module(`({ exit }) => exit ? process.exit(1) : 'fine'`), 'bad.mjs': 'throw 1;' };
  const [first, second] = [locate(files, 't:T', 'bad:T'), locate(files, 't:T')];
  const pool = openToolsetPool({ ...TRUSTING, prepare, judge: () => ({ ok: true }) });
  const call = (located: LocatedSkill, args: object = {}): Promise<unknown> =>
    pool.use<unknown>(located, 'tool', (now) => run({ ok: true, ...now }, args));
  expect(await call(first)).toBe('fine');
  await call(first, { exit: true });
  expect(await call(first)).toBe('fine');
  expect(folders).toEqual(['given back', 'open']);
  rmSync(first.realDir, { recursive: true });
  expect(await call(second)).toBe('fine');
  expect(folders).toEqual(['given back', 'given back', 'open']);
  await pool.close();
  expect(folders).toEqual(['given back', 'given back', 'given back']);
});

test('a toolset that changes globals or the environment does not affect the host', async () => {
  const before = `
    Object.prototype.polluted = 'yes'; JSON.parse = () => ({}); globalThis.fetch = null; process.env.POLLUTED = 'yes';
    Array.prototype.map = () => []; Promise.resolve = null;`;
  await load({ 't.mjs': module('() => 1', before) });
  expect([({} as Record<string, unknown>)['polluted'], JSON.parse('1'), process.env['POLLUTED']]).toEqual([
    undefined,
    1,
    undefined,
  ]);
});

test('invalid answers that a toolset’s code forges are rejected', async () => {
  const forge = (answer: unknown): string => `
    import { parentPort } from 'node:worker_threads';
    parentPort.postMessage({ id: 1, answer: ${JSON.stringify(answer)} });
    await new Promise(() => {});`;
  const wrong = failed('its thread gave an invalid answer');
  for (const answer of [5, '5', '{', { ok: true, tools: [] }, '{"ok":true,"tools":[{"name":5}]}'])
    expect(await load({ 't.mjs': forge(answer) })).toEqual(wrong);
  const tools = [{ name: 'x', description: '', schema: {} }];
  expect((await load({ 't.mjs': forge(JSON.stringify({ tools })) })).ok).toBe(true);
});

test('text that a toolset prints goes to the caller’s print function', async () => {
  const printed: string[] = [];
  const print = (text: string): void => void printed.push(text);
  const outcome = await load(
    { 't.mjs': module('() => { console.log("called"); }', 'console.log("loaded");') },
    { print },
  );
  await run(outcome);
  expect(printed).toEqual(['loaded\n', 'called\n']);
});

test('a changed toolset file is reloaded, and loading writes nothing into the skill', async () => {
  const text = `export const T: unknown = [{ name: 'a', description: '', execute: () => '' }];`;
  const located = locate({ 't.ts': text }, 't:T');
  const names = async (): Promise<readonly string[]> => {
    const outcome = await loadOne(located);
    if (!outcome.ok) return [outcome.message];
    await outcome.close();
    return outcome.tools.map(({ name }) => name);
  };
  expect(await names()).toEqual(['a']);
  writeTree(located.realDir, { 't.ts': `export const T = [{ name: 'b', description: '', execute: () => '' }];` });
  expect(await names()).toEqual(['b']);
  expect(readdirSync(located.realDir).sort()).toEqual(['SKILL.md', 't.ts']);
});

test('tools of a closed toolset fail, and it is not imported again', async () => {
  const printed: string[] = [];
  const print = (text: string): void => void printed.push(text);
  const outcome = await load({ 't.mjs': module('() => "fine"', 'console.log("imported");') }, { print });
  if (outcome.ok) await outcome.close();
  expect(await run(outcome)).toMatchObject({ code: 'TOOLSET_FAILED', message: 'tool failed: it was closed' });
  expect(printed).toEqual(['imported\n']);
});

test('the code of a toolset that failed to load stops running', async () => {
  const printed: string[] = [];
  const text = `setInterval(() => console.log('alive'), 1); await new Promise((r) => setTimeout(r, 20)); throw new Error('no');`;
  expect(await load({ 't.mjs': text }, { print: (line) => printed.push(line) })).toMatchObject({ ok: false });
  const before = printed.length;
  expect(before).toBeGreaterThan(0);
  await sleep(50);
  expect(printed.length).toBe(before);
});
