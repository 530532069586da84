import { globSync, readFileSync } from 'node:fs';

import { expect, test } from 'vitest';

import { CLIENT_NAMES } from '../src/model/agents.ts';
import { EXTENSION_FIELDS, SPEC_FIELDS } from '../src/parse/manifest.ts';
import { findDeadPaths, readCheckout } from './support/named-paths.ts';

const checkout = readCheckout();
const PAGES = globSync(['*.md', '{.github,bench,bundled-skills,docs,hub}/**/*.md'], {
  exclude: ['**/node_modules', 'bench/cache'],
});

/** Words that look like paths of this repository, and what they are. */
const NO_PATHS: Readonly<Record<string, string>> = {
  'bench/RESULTS.md: tools/list': 'a method of MCP',
  'docs/reference/library.md: tools/list': 'a method of MCP',
  'docs/security.md: tools/call': 'a method of MCP',
  'docs/reference/commands.md: src/main.ts': "a file in the reader's project",
};

test('every link, path and script that a Markdown page of this repository names exists', () => {
  expect(PAGES).toEqual(expect.arrayContaining(['README.md', '.github/pull_request_template.md', 'docs/security.md']));
  const dead = PAGES.flatMap((page) =>
    findDeadPaths(page, readFileSync(page, 'utf8'), checkout).map((path) => `${page}: ${path}`),
  );
  // `evals/` is a folder of skills, and one of src/.
  const ours = dead.filter((path) => !/: evals\/[\w.]+\.(?:json|jsonl|yaml)$/.test(path));
  expect(ours.toSorted()).toEqual(Object.keys(NO_PATHS).toSorted());
});

test('a link, anchor, path, file name or script that does not exist is found in a page', () => {
  const page = [
    '[here](../README.md) [gone](gone.md) [no heading](../security.md#gone) [running](../security.md#running)',
    '`src/gone.ts` `platform/gone/` `.ci/gone` `.ci/run` `src/*/gone.ts` `gone.ts` `npx vitest src/gone` `test/support/tree.ts` `src/model/<word>.ts`',
    '```sh\nnpm run gone -- x\nnpm run check\nnode tools/gone.ts\n```',
  ].join('\n\n');
  expect(findDeadPaths('docs/guide/page.md', page, checkout)).toEqual([
    '../README.md',
    'gone.md',
    '../security.md#gone',
    'src/gone.ts',
    'platform/gone/',
    '.ci/gone',
    'src/*/gone.ts',
    'gone.ts',
    'src/gone',
    'tools/gone.ts',
    'npm run gone',
  ]);
});

test('the guide of the MCP server lists every client that it can set up', () => {
  const [, listed = ''] = /`--print` knows ([^.]+)\./.exec(readFileSync('docs/guide/mcp.md', 'utf8')) ?? [];
  expect([...listed.matchAll(/`([^`]+)`/g)].map(([, name]) => name)).toEqual(CLIENT_NAMES);
});

test('the guide for authors lists every frontmatter field that is read', () => {
  const [, section = ''] = /^## Fields\n(.+?)^## /ms.exec(readFileSync('docs/guide/writing-skills.md', 'utf8')) ?? [];
  expect([...SPEC_FIELDS, ...EXTENSION_FIELDS].filter((field) => !section.includes(`\`${field}\``))).toEqual([]);
});

test('the changelog begins with what is not released, has the usual headings, says each change in one line, and stays short', () => {
  const text = readFileSync('CHANGELOG.md', 'utf8');
  expect(Buffer.byteLength(text)).toBeLessThanOrEqual(8 * 1024);
  const lines = text.split('\n');
  const headings = lines.filter((line) => line.startsWith('##'));
  expect(headings[0]).toBe('## [Unreleased]');
  expect(
    headings.filter((line) => !/^(?:## \[.+\].*|### (?:Added|Changed|Deprecated|Removed|Fixed|Security))$/.test(line)),
  ).toEqual([]);
  const others = lines.slice(lines.indexOf('## [Unreleased]')).filter((line) => !/^$|^#/.test(line));
  expect(others.filter((line) => !/^- .{10,140}$/.test(line))).toEqual([]);
});
