import { writeFileSync } from 'node:fs';
import { join } from 'node:path';

import fc from 'fast-check';
import { expect, test } from 'vitest';

import { propertyRuns } from '../../../test/support/property-runs.ts';
import { makeTree } from '../../../test/support/tree.ts';
import { openOwnFile } from '../../platform/files/open-file.ts';
import type { FindAny } from './find-any.ts';
import { scanLines, type LineScan, type LineTaker } from './scan-lines.ts';

interface Given {
  readonly from?: number;
  readonly memory?: number;
  readonly limit?: number;
  readonly awaited?: readonly string[];
  readonly isWanted?: (line: string) => boolean;
}

const findYes: FindAny = (bytes, from, end) => {
  const place = Buffer.from(bytes.subarray(from, end)).indexOf('yes');
  return place === -1 ? -1 : from + place;
};

function scan(content: string | Buffer, given: Given = {}) {
  const { from = 0, memory = 64, limit = Infinity, awaited = [], isWanted = () => true } = given;
  const path = join(makeTree(), 'a.jsonl');
  writeFileSync(path, content);
  using file = openOwnFile(path);
  if (file === undefined) throw new Error('no file');
  const lines: string[] = [];
  const taker: LineTaker = {
    find: findYes,
    awaited: () => awaited,
    isWanted: (bytes, { first, stop, hit }) => isWanted(bytes.toString('utf8', hit, stop)) && first <= hit,
    take: (line) => lines.push(line),
  };
  const result: LineScan = scanLines(file, from, {
    taker,
    isEnough: (bytes) => bytes >= limit,
    memory: Buffer.alloc(memory),
  });
  return { lines, ...result };
}

test('the line scanner returns only lines with a needle or an awaited text, each once', () => {
  const content = 'yes 1 yes\nno 2\nit is 3 yes\nid-4\nno\n';
  expect(scan(content).lines).toEqual(['yes 1 yes', 'it is 3 yes']);
  expect(scan(content, { awaited: ['id-4', 'id-9'] }).lines).toEqual(['yes 1 yes', 'it is 3 yes', 'id-4']);
});

test('the line scanner tries every needle in a line until one of them is wanted', () => {
  const content = 'a yes, b yes 1\nc yes\n';
  expect(scan(content, { isWanted: (rest) => rest.startsWith('yes 1') }).lines).toEqual(['a yes, b yes 1']);
});

test('the line scanner leaves an unfinished last line for the next scan', () => {
  const first = scan('yes 1\nyes, cu');
  expect(first).toMatchObject({ lines: ['yes 1'], offset: 6, isWhole: true });
  expect(scan('yes 1\nyes, cut no more\n', { from: first.offset }).lines).toEqual(['yes, cut no more']);
});

test('the line scanner reads a line that is longer than its buffer', () => {
  const long = `${'x'.repeat(1_000)} yes ${'é'.repeat(1_000)}`;
  expect(scan(`no\n${long}\nyes\n`, { memory: 16 })).toMatchObject({ lines: [long, 'yes'], tooLong: 0 });
});

test('the line scanner skips and counts a line of more than 32 MiB, and reads the rest', () => {
  const content = Buffer.concat([
    Buffer.from('yes 1\n"yes'),
    Buffer.alloc(40_000_000, 'x'),
    Buffer.from('yes\nyes 2\n'),
  ]);
  expect(scan(content, { memory: 262_144 })).toMatchObject({
    lines: ['yes 1', 'yes 2'],
    tooLong: 1,
    isWhole: true,
    offset: content.length,
  });
});

test('the line scanner stops at a limit only between lines or within a line that it skips', () => {
  const content = 'yes, this is a line\n'.repeat(10);
  const first = scan(content, { limit: 50, memory: 30 });
  expect(first).toMatchObject({ isWhole: false });
  const rest = scan(content, { from: first.offset, memory: 30 });
  expect(first.lines.length + rest.lines.length).toBe(10);
  const huge = Buffer.concat([Buffer.alloc(40_000_000, 'x'), Buffer.from('\nyes\n')]);
  expect(scan(huge, { limit: 1, memory: 262_144 }).offset).toBeGreaterThan(33_000_000);
});

test('the line scanner returns every matching line once and in order, whatever its buffer and limit', () => {
  const word = fc.constantFrom('yes', 'no', 'ye', 's', '\n', '\n', 'é', ' a longer text ');
  fc.assert(
    fc.property(
      fc.array(word, { maxLength: 80 }),
      fc.integer({ min: 8, max: 40 }),
      fc.integer({ min: 1, max: 60 }),
      (words, memory, limit) => {
        const content = words.join('');
        const complete = content.slice(0, content.lastIndexOf('\n') + 1);
        const taken: string[] = [];
        let from = 0;
        for (let step = 0; step < 200; step += 1) {
          const { lines, offset, isWhole } = scan(content, { from, memory, limit });
          taken.push(...lines);
          from = offset;
          if (isWhole) break;
        }
        expect(from).toBe(Buffer.byteLength(complete));
        expect(taken).toEqual(complete.split('\n').filter((line) => line.includes('yes')));
      },
    ),
    { numRuns: propertyRuns(60), seed: 20_261_116 },
  );
});
