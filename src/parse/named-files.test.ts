import { describe, expect, test } from 'vitest';

import { memoryFolder, type MemoryFolderOptions } from '../../test/support/memory-folder.ts';
import { fenced, parsed } from '../../test/support/parsed.ts';
import { findNamedFileFaults, type NamedFileFault } from './named-files.ts';

const FILES = {
  'toolsets/index.ts': 'export const Tools = [];',
  'lib/more.mjs': 'export * from "x";',
  'scripts/fill.py': '',
  'tool.sh': '',
};

function faults(yaml: string, files: object = FILES, options?: MemoryFolderOptions): readonly NamedFileFault[] {
  const text = fenced(`name: demo\n${yaml}`);
  const folder = memoryFolder({ 'SKILL.md': text, ...files }, options);
  return findNamedFileFaults(parsed(text), { text, ...folder });
}

describe('the toolsets and scripts that a SKILL.md names', () => {
  test.each([
    'toolsets: ["toolsets/index:Tools"]',
    'toolsets: ["./toolsets/index.ts:Tools", "toolsets:Tools", "toolsets.index:Tools", "lib/more.mjs:More"]',
    'scripts: [fill.py, ./scripts/fill.py, tool.sh]',
    'scripts: []',
    'description: none',
  ])('have no faults if the files exist: %s', (yaml) => {
    expect(faults(yaml)).toEqual([]);
  });

  test.each([
    ['toolsets: [toolsets/index]', 'it must be written as "path:Export". Write for example toolsets/index:MyTools.'],
    ['toolsets: [":Tools"]', 'it must be written as "path:Export"'],
    [
      'toolsets: ["toolsets/gone:Tools"]',
      'the skill has no file toolsets/gone (.ts, .mts, .js, .mjs, or index in a folder)',
    ],
    ['toolsets: ["toolsets/gone:Tools"]', 'name one of toolsets/index.ts, lib/more.mjs, or remove it from toolsets'],
    ['scripts: [fill]', 'the skill has no file fill, also not in scripts/; name one of scripts/fill.py, or'],
  ])('are reported if they are misspelled or missing: %s', (yaml, words) => {
    const [fault, ...others] = faults(yaml);
    expect(others).toEqual([]);
    expect(fault).toMatchObject({ isRefused: false, message: expect.stringContaining(words) });
  });

  test.each([
    [
      'toolsets: ["../other/index:Tools"]',
      'leaves the skill with ".."; put a regular file into the skill, or remove it',
    ],
    ['toolsets: ["/etc/index.mjs:Tools"]', 'is absolute'],
    ['scripts: [../../run.sh]', 'leaves the skill'],
    ['scripts: [/bin/sh]', 'is absolute'],
    ['scripts: [out.sh]', 'scripts/out.sh: it is a link'],
    ['toolsets: ["away/index:Tools"]', 'away is a link'],
  ])('are refused unless they are regular files in the skill: %s', (yaml, words) => {
    const refused = ['scripts/out.sh', 'away'].map((path) => ({ path, kind: 'link' as const, reason: 'is a link' }));
    expect(faults(yaml, FILES, { refused })).toMatchObject([
      { isRefused: true, message: expect.stringContaining(words) },
    ]);
  });

  test('are reported one by one with field and line', () => {
    const yaml = 'toolsets:\n  - "toolsets/index:Tools"\n  - \'a:A\' \n  - b:B\n  - b:B\nscripts: [gone.sh]';
    expect(faults(yaml).map(({ code, field, line, name }) => [code, field, line, name])).toEqual([
      ['TOOLSET_INVALID', 'toolsets', 5, 'a:A'],
      ['TOOLSET_INVALID', 'toolsets', 6, 'b:B'],
      ['SCRIPT_INVALID', 'scripts', 8, 'gone.sh'],
    ]);
    expect(faults('scripts: [gone.sh]', {})[0]?.message).toBe(
      'scripts (line 3): "gone.sh": the skill has no file gone.sh, also not in scripts/; add the file, or remove it from scripts',
    );
  });
});
