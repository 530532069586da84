import { setTimeout as sleep } from 'node:timers/promises';

import { expect, test } from 'vitest';
import { z } from 'zod';

import { ToolRegistry } from './tool-registry.ts';
import { Tool } from './tool.ts';

function echo(name: string): Tool {
  return Tool.define(name, {
    description: `Says ${name}.`,
    parameters: z.object({ text: z.string() }),
    execute: ({ text }) => `${name}: ${text}`,
  });
}

/** A registry with tools written as `skill/tool`, or `/tool` for one of the host. */
function registryOf(...tools: readonly string[]): ToolRegistry {
  const registry = new ToolRegistry();
  for (const text of tools) {
    const [skill = '', name = ''] = text.split('/');
    expect(registry.register(echo(name), skill === '' ? {} : { skill })).toEqual({ ok: true });
  }
  return registry;
}

test('a tool registry lists tools by name, finds them and calls them', async () => {
  const registry = registryOf('wave/bye', 'hello/greet');
  expect(registry.list().map(({ name, skill, description }) => [name, skill, description])).toEqual([
    ['bye', 'wave', 'Says bye.'],
    ['greet', 'hello', 'Says greet.'],
  ]);
  expect(registry.get('greet')?.schema()).toMatchObject({ required: ['text'] });
  expect(await registry.call('greet', { text: 'hi' })).toEqual({
    ok: true,
    title: 'greet',
    metadata: {},
    output: 'greet: hi',
  });
});

test('two skills can have tools of the same name, each called with the name of its skill', async () => {
  const registry = registryOf('hello/greet', 'wave/greet');
  expect(registry.list().map(({ name }) => name)).toEqual(['hello_greet', 'wave_greet']);
  expect(await registry.call('wave_greet', { text: 'hi' })).toMatchObject({ ok: true });
  expect(await registry.call('greet', { text: 'hi' })).toEqual({
    ok: false,
    code: 'RESOURCE_NOT_FOUND',
    message: 'no tool called "greet"; there are hello_greet, wave_greet',
  });
});

test('a tool can be called by its prefixed name even while it is listed without prefix', async () => {
  const registry = registryOf('hello/greet');
  expect(await registry.call('hello_greet', { text: 'hi' })).toMatchObject({ ok: true, output: 'greet: hi' });
  expect(registryOf('a/b_c', 'a_b/c').get('a_b_c')).toBeUndefined();
});

test('a skill cannot register two tools of the same name', () => {
  const registry = registryOf('hello/greet', '/greet');
  expect(registry.register(echo('greet'), { skill: 'hello' })).toEqual({
    ok: false,
    code: 'ALREADY_EXISTS',
    message: 'hello already has a tool "greet"',
  });
  expect(registry.register(echo('greet'))).toMatchObject({ message: 'the host already has a tool "greet"' });
});

test('calling an unknown tool fails and names up to ten tools that exist', async () => {
  expect(await new ToolRegistry().call('x', {})).toMatchObject({
    code: 'RESOURCE_NOT_FOUND',
    message: 'no tool called "x"; there are no tools',
  });
  const registry = registryOf(...Array.from({ length: 12 }, (_, at) => `s/t${String(at).padStart(2, '0')}`));
  expect(await registry.call('nothing', {})).toMatchObject({
    message: 'no tool called "nothing"; there are t00, t01, t02, t03, t04, t05, t06, t07, t08, t09 and 2 more',
  });
  expect(await registryOf('s/tool').call('__proto__', {})).toMatchObject({ code: 'RESOURCE_NOT_FOUND' });
});

test('tool arguments are parsed and checked before the tool runs', async () => {
  const registry = registryOf('hello/greet');
  expect(await registry.call('greet', '{"text": "from text"}')).toMatchObject({ output: 'greet: from text' });
  expect(await registry.call('greet', '{')).toMatchObject({ message: expect.stringContaining('greet: the arguments') });
  expect(await registry.call('greet', {})).toMatchObject({ message: expect.stringContaining('text: Invalid input') });
  expect(await registry.call('greet', { text: 'x'.repeat(2_000_000) })).toMatchObject({ code: 'ARGS_TOO_LARGE' });
});

test('a tool that exceeds its time limit fails, and its signal is aborted', async () => {
  const registry = new ToolRegistry();
  const { promise, resolve } = Promise.withResolvers<unknown>();
  const wait = Tool.define('wait', {
    description: '',
    execute: (_, { signal }) => {
      signal.addEventListener('abort', () => resolve(signal.reason));
      return new Promise<string>(() => undefined);
    },
  });
  registry.register(wait);
  expect(await registry.call('wait', {}, { timeoutMs: 20 })).toEqual({
    ok: false,
    code: 'TOOLSET_FAILED',
    message: 'wait timed out after 0.02 s',
  });
  expect(await promise).toMatchObject({ name: 'TimeoutError' });
});

test('a caller can abort a tool call before and during it', async () => {
  const registry = new ToolRegistry();
  let calls = 0;
  const wait = Tool.define('wait', {
    description: '',
    execute: () => {
      calls += 1;
      return new Promise<string>(() => undefined);
    },
  });
  registry.register(wait);
  const controller = new AbortController();
  const called = registry.call('wait', {}, { signal: controller.signal });
  await sleep(1);
  controller.abort(new Error('the user left'));
  const stopped = { ok: false, code: 'TOOLSET_FAILED', message: 'wait was stopped: the user left' };
  expect(await called).toEqual(stopped);
  expect(await registry.call('wait', {}, { signal: controller.signal })).toEqual(stopped);
  expect(calls).toBe(1);
});

test('an infinite time limit for a tool means no limit', async () => {
  const registry = new ToolRegistry();
  registry.register(Tool.define('slow', { description: '', execute: () => sleep(20).then(() => 'done') }));
  expect(await registry.call('slow', {}, { timeoutMs: Number.POSITIVE_INFINITY })).toMatchObject({ output: 'done' });
});

test('a host tool that throws is reported as a failure', async () => {
  const registry = new ToolRegistry();
  const broken: Tool = {
    name: 'broken',
    description: '',
    schema: () => ({ type: 'object' }),
    execute: () => {
      throw new Error('a bug');
    },
  };
  registry.register(broken);
  expect(await registry.call('broken', {})).toMatchObject({ ok: false, message: 'broken failed: a bug' });
});

test('a tool receives the context of its call', async () => {
  const registry = new ToolRegistry();
  const where = Tool.define('where', { description: '', execute: (_, { skill }) => skill?.dir ?? 'nowhere' });
  registry.register(where, { skill: 'hello' });
  const skill = { name: 'hello', dir: '/skills/hello' };
  expect(await registry.call('where', {}, { skill })).toMatchObject({ output: '/skills/hello' });
});
