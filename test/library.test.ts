import { spawnSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';

import { describe, expect, test } from 'vitest';

import { PUBLIC_ENTRY_POINTS, readApi } from '../tools/api.ts';
import { rollUpDeclarations } from '../tools/declarations.ts';
import { readExamples } from '../tools/library.ts';
import { makeTree, skillText } from './support/tree.ts';

const api = readApi('dist', PUBLIC_ENTRY_POINTS);
const all = [...api].flatMap(([entry, names]) => names.map((name) => ({ entry, ...name })));
const values = all.filter(({ isValue }) => isValue);

test('the public entry points export at most 80 values together', () => {
  expect(values.length).toBeLessThanOrEqual(80);
});

test('every public value has a line of documentation and an example', () => {
  expect(values.filter(({ summary }) => summary === '').map(({ name }) => name)).toEqual([]);
  const shown = PUBLIC_ENTRY_POINTS.flatMap((entry) =>
    [...readExamples(entry).keys()].map((name) => `${entry} ${name}`),
  );
  expect(shown.sort()).toEqual(values.map(({ entry, name }) => `${entry} ${name}`).sort());
});

test('every public type is named by a public signature', () => {
  expect(all.filter(({ isNamed }) => !isNamed).map(({ entry, name }) => `${entry} ${name}`)).toEqual([]);
});

test('the reader of declarations finds values, types, renamed and passed-on names, and types that no signature names', () => {
  const dir = makeTree({
    'index.d.ts':
      "import { type Kept, other } from './a.js';\nexport { open, type Options, type Lost as Forgotten } from './a.js';\nexport { other, type Kept };\n",
    'a.d.ts': [
      "import type { Deep } from './b.js';",
      '/** Opens. */\nexport declare function open(options?: Options): Kept;',
      'export interface Options {\n  /** Not shown. */\n  readonly deep?: Deep;\n}',
      'export type Kept = string;',
      'export interface Lost {\n  readonly kept: Kept;\n}',
      '/**\n * First\n * line.\n *\n * Second.\n */\nexport declare const other: number;',
    ].join('\n'),
    'b.d.ts': 'export interface Deep {\n  readonly a: 1;\n}\n',
  });
  const names = readApi(dir, ['index']).get('index') ?? [];
  expect(names.map(({ name, isValue, summary, isNamed }) => [name, isValue, summary, isNamed])).toEqual([
    ['open', true, 'Opens.', true],
    ['other', true, 'First line.', true],
    ['Forgotten', false, '', false],
    ['Kept', false, '', true],
    ['Options', false, '', true],
  ]);
  expect(names.map(({ text }) => text)).toContain('interface Options {\n  readonly deep?: Deep;\n}');
});

describe('rolling declarations up', () => {
  const FILES: Readonly<Record<string, string>> = {
    'index.d.ts': "export { open, type Kept as Used } from './a.ts';\n",
    'agent.d.ts': "import type { Kept } from './a.ts';\nexport declare function ask(kept: Kept): void;\n",
    'a.d.ts': [
      "import type { Readable } from 'node:stream';",
      '/** Opens. */\nexport declare function open(options: Options): Kept;',
      'interface Options {\n    readonly from: Readable;\n}',
      'declare const KEY: unique symbol;',
      '/** Shared. */\nexport declare class Kept {\n    #private;\n    readonly [KEY]: 1;\n}',
      'export interface Unused {\n    readonly a: 1;\n}',
    ].join('\n'),
  };
  const rollUp = (files: Readonly<Record<string, string>>): ReadonlyMap<string, string> =>
    rollUpDeclarations(['index', 'agent'], (file) => files[file] ?? '');

  test('keeps what an entry point needs in its file, puts what several need into one, and leaves the rest out', () => {
    expect(Object.fromEntries(rollUp(FILES))).toEqual({
      'index.d.ts': [
        "import { Readable } from 'node:stream';",
        "import { Kept } from './declarations.js';",
        '/** Opens. */\ndeclare function open(options: Options): Kept;',
        'interface Options {\n    readonly from: Readable;\n}',
        "export { type Kept as Used } from './declarations.js';",
        'export { open };\n',
      ].join('\n'),
      'agent.d.ts':
        "import { Kept } from './declarations.js';\ndeclare function ask(kept: Kept): void;\nexport { ask };\n",
      'declarations.d.ts':
        '/** Shared. */\ndeclare class Kept {\n    #private;\n    readonly [KEY]: 1;\n}\ndeclare const KEY: unique symbol;\nexport { KEY, Kept };\n',
    });
  });

  test('fails if two declarations have one name, or one is imported under another name', () => {
    const twin = 'interface Options {\n}\nexport declare function ask(options: Options): void;\n';
    expect(() => rollUp({ ...FILES, 'agent.d.ts': twin })).toThrow('a.d.ts and agent.d.ts both declare Options');
    const alias = "import type { Kept as K } from './a.ts';\nexport declare function ask(kept: K): void;\n";
    expect(() => rollUp({ ...FILES, 'agent.d.ts': alias })).toThrow('agent.d.ts imports Kept as K');
  });
});

test('docs/api has one report for each public entry point', () => {
  expect(readdirSync('docs/api').sort()).toEqual(PUBLIC_ENTRY_POINTS.map((entry) => `${entry}.txt`).sort());
});

/** A project with one skill, and a user without any, who has Claude Code. */
const WORLD = {
  'home/.claude/': '',
  'project/.git/': '',
  'project/AGENTS.md': '# Rules\n',
  'project/.claude/commands/review.md': 'Review this.\n',
  'project/skills/pdf/SKILL.md': skillText(
    { name: 'pdf', description: 'Fill in PDF forms.', tags: ['office', 'forms'], triggers: { keywords: ['acroform'] } },
    'Run scripts/fill.sh.\n',
  ),
  'project/skills/pdf/scripts/fill.sh': '#!/bin/sh\necho filled\n',
  'project/skills/pdf/evals/requests.jsonl': '{"query": "fill in a form", "should_trigger": true}\n',
  'project/broken/mail/SKILL.md': '---\nname: mail\ndescription: Write: letters\n---\n# Mail\n',
};

test.for(PUBLIC_ENTRY_POINTS)('the examples of the entry point %s print what their comments say', (entry) => {
  const file = `examples/reference/${entry}.ts`;
  const expected = [...readFileSync(file, 'utf8').matchAll(/^ *console\.log\(.*\); \/\/ (.*)$/gm)].map(
    ([, text = '']) => text,
  );
  const root = makeTree(WORLD);
  const { status, stdout, stderr } = spawnSync(process.execPath, [resolve(file)], {
    cwd: join(root, 'project'),
    env: { PATH: process.env['PATH'], HOME: join(root, 'home'), NODE_NO_WARNINGS: '1' },
    encoding: 'utf8',
  });
  expect([stderr, status]).toEqual(['', 0]);
  expect(stdout.trimEnd().split('\n')).toEqual(expected);
});
