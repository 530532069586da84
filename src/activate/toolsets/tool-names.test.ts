import fc from 'fast-check';
import { expect, test } from 'vitest';

import { nameTools, type NamelessTool } from './tool-names.ts';

/** Names by tool, written as `skill/tool`, or `/tool` for one of the host. */
function names(...tools: readonly string[]): Readonly<Record<string, string>> {
  const named = nameTools(tools.map((text) => ({ ...split(text), text })));
  return Object.fromEntries([...named].map(([name, { text }]) => [text, name]));
}

function split(text: string): NamelessTool {
  const [skill = '', ownName = ''] = text.split('/');
  return { skill: skill === '' ? undefined : skill, ownName };
}

test('a tool keeps its own name if no other tool has it', () => {
  expect(names('hello/greet', 'pdf/fill-form')).toEqual({ 'hello/greet': 'greet', 'pdf/fill-form': 'fill-form' });
});

test('tools that share a name are prefixed with the names of their skills', () => {
  expect(names('hello/greet', 'wave/greet', 'wave/bye')).toEqual({
    'hello/greet': 'hello_greet',
    'wave/greet': 'wave_greet',
    'wave/bye': 'bye',
  });
});

test('a tool of a skill never takes the name of a tool of the host', () => {
  expect(names('evil/load_skill', '/load_skill')).toEqual({
    '/load_skill': 'load_skill',
    'evil/load_skill': 'evil_load_skill',
  });
});

test('tool names that still collide after the prefix are numbered, and unprefixed names keep theirs', () => {
  expect(names('a/b', 'c/b', 'x/a_b', 'c/c_b')).toEqual({
    'a/b': 'a_b_2',
    'c/b': 'c_b_2',
    'x/a_b': 'a_b',
    'c/c_b': 'c_b',
  });
  expect(names('/a.b', '/a b')).toEqual({ '/a b': 'a_b', '/a.b': 'a_b_2' });
});

test('tool names replace characters that APIs refuse with underscores and are cut to 64 characters', () => {
  expect(names('x/größe', 'x/工具', 'x/名前', 'x/👋 hi')).toEqual({
    'x/größe': 'gr__e',
    'x/名前': 'x___',
    'x/工具': 'x____2',
    'x/👋 hi': '__hi',
  });
  const long = 'n'.repeat(70);
  expect(names(`a/${long}1`, `a/${long}2`)).toEqual({
    [`a/${long}1`]: `a_${'n'.repeat(62)}`,
    [`a/${long}2`]: `a_${'n'.repeat(60)}_2`,
  });
});

test('tool names are always unique, valid and sorted, whatever the tools and their order', () => {
  const part = fc.oneof(fc.constantFrom('a', 'b', 'a_b', 'a_b_2', 'é', 'x'.repeat(64)), fc.string({ maxLength: 70 }));
  const tool = fc.record({ ownName: part.filter((name) => name !== ''), skill: fc.option(part, { nil: undefined }) });
  const tools = fc.uniqueArray(tool, { selector: ({ skill, ownName }) => JSON.stringify([skill, ownName]) });
  fc.assert(
    fc.property(tools, (given) => {
      const named = nameTools(given);
      const list = [...named.keys()];
      expect(named.size).toBe(given.length);
      expect(list.every((name) => /^[a-zA-Z0-9_-]{1,64}$/.test(name))).toBe(true);
      expect([...list].sort()).toEqual(list);
      expect([...nameTools(given.toReversed())]).toEqual([...named]);
    }),
  );
});
