import { expect, test } from 'vitest';

import { Tool } from './tool.ts';
import { toolsOf } from './toolset-shape.ts';

const greet = Tool.define('greet', { description: 'Greets.', execute: () => 'hello' });
const bye = Tool.define('bye', { description: 'Leaves.', execute: () => 'bye' });
const both = [greet, bye];

class WithMember {
  readonly tools = both;
}
class WithGetter {
  getTools(): Promise<readonly Tool[]> {
    return Promise.resolve(this.list());
  }
  list(): readonly Tool[] {
    return both;
  }
}
class WithStatic {
  static readonly tools = both;
  constructor() {
    throw new Error('never made');
  }
}

test.each([
  ['a list of tools', both],
  ['an object whose values are tools', { greet, bye }],
  ['an object with a list of tools', { name: 'x', tools: both }],
  ['an object with tools by name', { tools: { greet, bye } }],
  ['an object with getTools', new WithGetter()],
  ['a class with a list of tools', WithMember],
  ['a class with getTools', WithGetter],
  ['a class with a static list of tools', WithStatic],
  ['a function that returns tools', () => both],
  ['an async function that returns tools', async () => both],
  ['a function that returns a class', () => WithMember],
])('a toolset may export %s', async (_, exported) => {
  expect(await toolsOf(exported)).toEqual(both);
});

test('a toolset may export a single tool', async () => {
  expect(await toolsOf(greet)).toEqual([greet]);
});

test('a toolset may contain tools made without Tool.define, named by their key in an object', async () => {
  const plain = { description: 'Adds.', parameters: { type: 'object' }, execute: () => 'sum' };
  const [add] = await toolsOf({ add: plain });
  expect([add?.name, add?.description, add?.schema()]).toEqual(['add', 'Adds.', { type: 'object' }]);
  expect(await add?.execute({})).toMatchObject({ ok: true, output: 'sum' });
  const [sum] = await toolsOf([{ ...plain, name: 'sum', schema: () => 'not ours' }]);
  expect(await sum?.execute({})).toMatchObject({ ok: true, output: 'sum' });
});

test.each([
  ['it is a number, not a list of tools', 5],
  ['it is null, not a list of tools', null],
  ['it is an object without tools', { a: 1 }],
  ['it is an object without tools', {}],
  ['it is undefined, not a list of tools', () => undefined],
  ['it lists a string, which is not a tool', ['greet']],
  ['it lists an object, which is not a tool', [greet, {}]],
  ['it has no tools', []],
  ['it has two tools with the name "greet"', [greet, bye, greet]],
  ['a tool needs a name', [{ description: '', execute: () => '' }]],
  ['the description of the tool "x" is not text', { x: { execute: () => '' } }],
])('a toolset export that contains no valid tools is refused: %s', async (message, exported) => {
  await expect(toolsOf(exported)).rejects.toThrow(new TypeError(message));
});

test('a toolset function that returns itself is refused instead of called forever', async () => {
  const self = (): unknown => self;
  await expect(toolsOf(self)).rejects.toThrow(new TypeError('it is not a list of tools'));
});
