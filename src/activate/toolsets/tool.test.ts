import { expect, test } from 'vitest';
import { z } from 'zod';
import { z as z3 } from 'zod/v3';

import { runModule, sourceUrl } from '../../../test/support/child.ts';
import { Tool } from './tool.ts';

const greet = Tool.define('greet', {
  description: 'Greets a person.',
  parameters: z.object({ name: z.string().describe('Who'), times: z.number().int().default(1) }),
  execute: async ({ name, times }, { signal, skill }) => ({
    title: `Greeted ${name}`,
    metadata: { times, isAborted: signal.aborted, from: skill?.name },
    output: `Hello, ${name}!`.repeat(times),
  }),
});

/** A tool without parameters that gives this. */
function giving(answer: unknown): Tool {
  return Tool.define('give', { description: '', execute: () => answer as string });
}

test('a tool checks its arguments, fills in defaults, and returns title, metadata and output', async () => {
  const context = { skill: { name: 'hello', dir: '/skills/hello' } };
  expect(await greet.execute({ name: 'Ada', extra: 1 }, context)).toEqual({
    ok: true,
    title: 'Greeted Ada',
    metadata: { times: 1, isAborted: false, from: 'hello' },
    output: 'Hello, Ada!',
  });
});

test('wrong tool arguments are a failure that lists every problem with its path', async () => {
  const tool = Tool.define('pack', {
    description: '',
    parameters: z.object({ items: z.array(z.object({ id: z.string() })), size: z.number() }),
    execute: () => 'never',
  });
  expect(await tool.execute({ items: [{ id: 'a' }, { id: 2 }], size: 'big' })).toEqual({
    ok: false,
    code: 'TOOLSET_FAILED',
    message:
      'pack: the arguments are wrong: items[1].id: Invalid input: expected string, received number; ' +
      'size: Invalid input: expected number, received string',
  });
  expect(await tool.execute('text')).toMatchObject({
    message: 'pack: the arguments are wrong: Invalid input: expected object, received string',
  });
});

test('a failure for thousands of wrong arguments lists the first 20 and counts the rest', async () => {
  const tool = Tool.define('sum', {
    description: '',
    parameters: z.object({ numbers: z.array(z.number()) }),
    execute: () => 'never',
  });
  const failed = await tool.execute({ numbers: Array.from({ length: 10_000 }, () => 'x') });
  expect(failed).toMatchObject({ ok: false, message: expect.stringMatching(/numbers\[19\].*; and 9980 more$/) });
  expect(JSON.stringify(failed).length).toBeLessThan(2_000);
});

test('zod 3 schemas check tool arguments, with and without the Standard Schema interface', async () => {
  const modern = Tool.define('a', {
    description: '',
    parameters: z3.object({ n: z3.number() }),
    execute: ({ n }) => String(n),
  });
  expect(await modern.execute({ n: 1 })).toMatchObject({ ok: true, output: '1' });
  expect(await modern.execute({ n: 'x' })).toMatchObject({ message: expect.stringContaining('n: Expected number') });
  const schema = z3.object({ n: z3.number() });
  const old = { safeParse: (value: unknown) => schema.safeParse(value) };
  const tool = Tool.define('b', { description: '', parameters: old, execute: ({ n }) => String(n) });
  expect(await tool.execute({ n: 1, m: 2 })).toMatchObject({ ok: true, output: '1' });
  expect(await tool.execute({})).toMatchObject({ ok: false, message: 'b: the arguments are wrong: n: Required' });
  expect([modern.schema(), tool.schema()]).toEqual([{ type: 'object' }, { type: 'object' }]);
});

test('tool parameters in plain JSON Schema are enforced where possible and shown unchanged', async () => {
  const parameters = { type: 'object', properties: { n: { type: 'integer', minimum: 2 } }, required: ['n'] };
  const tool = Tool.define('double', { description: '', parameters, execute: ({ n }) => String(Number(n) * 2) });
  expect(tool.schema()).toEqual(parameters);
  expect(await tool.execute({ n: 4 })).toMatchObject({ output: '8' });
  expect(await tool.execute({ n: 1 })).toMatchObject({ ok: false, message: expect.stringContaining('n: Too small') });
  const beyond = { ...parameters, dependentRequired: { n: ['m'] } };
  const lenient = Tool.define('any', { description: '', parameters: beyond, execute: (args) => JSON.stringify(args) });
  expect(await lenient.execute({ n: 1 })).toMatchObject({ ok: true, output: '{"n":1}' });
});

test('a tool’s zod parameters are shown as JSON Schema 2020-12', () => {
  expect(greet.schema()).toEqual({
    $schema: 'https://json-schema.org/draft/2020-12/schema',
    type: 'object',
    properties: {
      name: { type: 'string', description: 'Who' },
      times: { default: 1, type: 'integer', minimum: expect.any(Number), maximum: expect.any(Number) },
    },
    required: ['name'],
  });
});

test('a parameter type that JSON Schema cannot express is shown as accepting anything', () => {
  const parameters = z.object({ at: z.date(), big: z.bigint(), text: z.string().transform((text) => text.length) });
  const tool = Tool.define('odd', { description: '', parameters, execute: () => '' });
  expect(tool.schema()).toMatchObject({ type: 'object', properties: { at: {}, big: {}, text: { type: 'string' } } });
  expect(structuredClone(tool.schema())).toEqual(tool.schema());
});

test('tool parameters in plain JSON Schema are shown without values that are not JSON', () => {
  const parameters = { type: 'object', toNumber: () => 1 };
  expect(Tool.define('x', { description: '', parameters, execute: () => '' }).schema()).toStrictEqual({
    type: 'object',
  });
});

test('tool parameters that are a union of objects are shown with the type object', () => {
  const parameters = z.union([z.object({ a: z.string() }), z.object({ b: z.string() })]);
  expect(Tool.define('either', { description: '', parameters, execute: () => '' }).schema()).toMatchObject({
    type: 'object',
    anyOf: [{ type: 'object' }, { type: 'object' }],
  });
});

test('a schema of an older zod 4 without JSON Schema export is converted by our zod', () => {
  const schema = z.object({ a: z.string() });
  const older = { _zod: schema._zod, '~standard': { version: 1, vendor: 'zod', validate: () => ({ value: {} }) } };
  const tool = Tool.define('older', { description: '', parameters: older as never, execute: () => '' });
  expect(tool.schema()).toMatchObject({ type: 'object', properties: { a: { type: 'string' } }, required: ['a'] });
});

test('tool parameters that cannot be converted to JSON Schema are shown as any object', () => {
  const broken = z.object({ a: z.string() });
  const standard = {
    ...broken['~standard'],
    jsonSchema: {
      input: () => {
        throw new Error('no');
      },
    },
  };
  const tool = Tool.define('x', { description: '', parameters: { '~standard': standard } as never, execute: () => '' });
  expect(tool.schema()).toEqual({ type: 'object' });
});

test('a tool without parameters shows an object schema with no properties', async () => {
  expect(giving('x').schema()).toEqual({ type: 'object', properties: {} });
  expect(await giving('x').execute({})).toMatchObject({ ok: true, output: 'x' });
});

test('a tool may return text, and output that is not text is returned as JSON', async () => {
  expect(await giving('done').execute({})).toEqual({ ok: true, title: 'give', metadata: {}, output: 'done' });
  expect(await giving({ output: { a: [1] } }).execute({})).toEqual({
    ok: true,
    title: 'give',
    metadata: {},
    output: '{"a":[1]}',
  });
  expect(await giving({ title: 'T', metadata: { at: new Date(0) }, output: null }).execute({})).toEqual({
    ok: true,
    title: 'T',
    metadata: { at: '1970-01-01T00:00:00.000Z' },
    output: 'null',
  });
});

test.each([
  ['nothing', undefined],
  ['a number', 5],
  ['a list', ['x']],
  ['no output', { title: 'T', metadata: {} }],
  ['an output that is not JSON', { output: () => 1 }],
  ['a title that is not text', { title: 5, output: '' }],
  ['metadata that is not an object', { metadata: [], output: '' }],
])('a tool call fails if the tool returns %s', async (_, answer) => {
  expect(await giving(answer).execute({})).toEqual({
    ok: false,
    code: 'TOOLSET_FAILED',
    message: 'give: it must return { title, metadata, output } or text',
  });
});

test('a tool call fails if the output contains itself', async () => {
  const circle: Record<string, unknown> = {};
  circle['self'] = circle;
  expect(await giving({ output: circle }).execute({})).toMatchObject({
    ok: false,
    message: expect.stringContaining('circular'),
  });
});

test.each([
  ['an error', new Error('the  disk\nis full'), 'fail failed: the disk is full'],
  ['an error without a message', new RangeError(''), 'fail failed: RangeError'],
  ['a text', 'no', 'fail failed: no was thrown'],
  ['nothing', undefined, 'fail failed: undefined was thrown'],
  ['an object', {}, 'fail failed: an object that is not an error was thrown'],
  ['a very long error', new Error('x'.repeat(5_000)), `fail failed: ${'x'.repeat(1_000)}…`],
])('a tool that throws %s is a failure with that message', async (_, thrown, message) => {
  const sync = Tool.define('fail', {
    description: '',
    execute: () => {
      throw thrown;
    },
  });
  const later = Tool.define('fail', { description: '', execute: () => Promise.reject(thrown as Error) });
  expect(await sync.execute({})).toEqual({ ok: false, code: 'TOOLSET_FAILED', message });
  expect(await later.execute({})).toEqual({ ok: false, code: 'TOOLSET_FAILED', message });
});

test('a tool call fails if its schema throws while checking', async () => {
  const parameters = z.object({}).refine(() => {
    throw new Error('bad check');
  });
  const tool = Tool.define('x', { description: '', parameters, execute: () => '' });
  expect(await tool.execute({})).toMatchObject({ ok: false, message: 'x failed: bad check' });
});

test('tool arguments can be checked asynchronously', async () => {
  const parameters = z.object({ n: z.number() }).refine(async ({ n }) => n > 1, { message: 'too few' });
  const tool = Tool.define('x', { description: '', parameters, execute: () => 'fine' });
  expect(await tool.execute({ n: 1 })).toMatchObject({ ok: false, message: 'x: the arguments are wrong: too few' });
  expect(await tool.execute({ n: 2 })).toMatchObject({ ok: true, output: 'fine' });
});

test.each([
  ['a tool needs a name', '', { description: '', execute: String }],
  ['the tool "x" has no definition', 'x', undefined],
  ['the description of the tool "x" is not text', 'x', { execute: String }],
  ['the parameters of the tool "x" are not a schema', 'x', { description: '', parameters: 5, execute: String }],
  ['the tool "x" has no function "execute"', 'x', { description: '', parameters: {} }],
])('Tool.define throws on a wrong definition: %s', (message, name, definition) => {
  expect(() => Tool.define(name, definition as never)).toThrow(new TypeError(message));
});

test('defining a tool and showing its JSON Schema does not load zod; running it does', async () => {
  const code = `
    import { registerHooks } from 'node:module';
    const { Tool } = await import(${JSON.stringify(sourceUrl('activate/toolsets/tool.ts'))});
    const seen = [];
    registerHooks({ resolve(name, context, next) { seen.push(name); return next(name, context); } });
    const tool = Tool.define('x', { description: '', parameters: { type: 'object' }, execute: () => '' });
    tool.schema();
    const before = [...seen];
    await tool.execute({});
    console.log(JSON.stringify({ before, after: seen }));`;
  expect(await runModule(code)).toEqual({ before: [], after: expect.arrayContaining(['zod']) });
});
