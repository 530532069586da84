import { mkdirSync, readdirSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { zstdCompressSync } from 'node:zlib';

import { expect, test } from 'vitest';

import { makeTree } from '../../../test/support/tree.ts';
import { openOwnFile, readPieces, unpackPieces, type OpenFile } from './open-file.ts';

test('an open file can be read in pieces even after it was replaced', () => {
  const file = join(makeTree({}), 'a');
  writeFileSync(file, 'one two');
  using open = openOwnFile(file);
  writeFileSync(`${file}.new`, 'another');
  renameSync(`${file}.new`, file);
  expect(open?.size).toBe(7);
  expect(Buffer.from(open?.read(4, 3) ?? []).toString()).toBe('two');
});

test('an open file gives nothing beyond its end or after closing', () => {
  const file = join(makeTree({}), 'a');
  writeFileSync(file, 'one');
  const open = openOwnFile(file);
  expect(open?.read(1, 3)).toBeUndefined();
  open?.[Symbol.dispose]();
  open?.[Symbol.dispose]();
  expect(open?.read(0, 1)).toBeUndefined();
});

test('opening a missing file or a folder gives undefined and leaks no handle', () => {
  const dir = makeTree({});
  mkdirSync(join(dir, 'folder'));
  const before = readdirSync('/dev/fd').length;
  for (let round = 0; round < 100; round += 1) {
    expect(openOwnFile(join(dir, 'folder'))).toBeUndefined();
    expect(openOwnFile(join(dir, 'none'))).toBeUndefined();
  }
  expect(readdirSync('/dev/fd').length).toBe(before);
});

const CONTENT = Buffer.from(Array.from({ length: 60_000 }, (_, at) => `line ${at}\n`).join(''));

function openBytes(bytes: Buffer): OpenFile {
  const path = join(makeTree(), 'file');
  writeFileSync(path, bytes);
  const opened = openOwnFile(path);
  if (opened === undefined) throw new Error('no file');
  return opened;
}

async function unpack(bytes: Buffer): Promise<readonly (Buffer | undefined)[]> {
  using file = openBytes(bytes);
  const pieces: (Buffer | undefined)[] = [];
  for await (const piece of unpackPieces(file)) pieces.push(piece);
  return pieces;
}

test('a file that is read in pieces is complete from any byte on', () => {
  using file = openBytes(CONTENT);
  for (const from of [0, 1, 100_000, CONTENT.length]) {
    const pieces = Array.from(readPieces(file, from), (piece) => Buffer.from(piece ?? ''));
    expect(Buffer.concat(pieces).equals(CONTENT.subarray(from))).toBe(true);
  }
});

test('a file that was closed meanwhile ends with an undefined piece', () => {
  const file = openBytes(CONTENT);
  file[Symbol.dispose]();
  expect([...readPieces(file)]).toEqual([undefined]);
});

test('a file that was compressed by zstd is unpacked piece by piece, and damage ends it with an undefined piece', async () => {
  const packed = zstdCompressSync(CONTENT);
  const pieces = await unpack(packed);
  expect(pieces.length).toBeGreaterThan(5);
  expect(pieces).not.toContain(undefined);
  expect(Buffer.concat(pieces.map((piece) => piece ?? Buffer.alloc(0))).equals(CONTENT)).toBe(true);
  expect((await unpack(Buffer.from('no archive'))).at(-1)).toBeUndefined();
});

test('a file that was compressed by zstd and ends too early gives an undefined piece at its end', async ({ skip }) => {
  skip(
    Number.parseInt(process.versions.node, 10) < 24,
    'this version of Node.js does not notice that zstd data is cut off',
  );
  expect((await unpack(zstdCompressSync(CONTENT).subarray(0, -20))).at(-1)).toBeUndefined();
});
