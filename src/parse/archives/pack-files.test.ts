import { execFileSync, spawnSync } from 'node:child_process';
import { mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { expect, test } from 'vitest';

import { makeTree } from '../../../test/support/tree.ts';
import type { FileContent } from '../digest.ts';
import { ARCHIVE_FORMATS, packFiles, type ArchiveFormat } from './pack-files.ts';

const file = (path: string, content: string | Uint8Array = path, executable = false): FileContent => ({
  path,
  executable,
  bytes: Buffer.from(content),
});

const LONG = `references/${'deep/'.repeat(20)}${'x'.repeat(120)}.md`;
const FILES = [
  file('scripts/run.sh', '#!/bin/sh\necho 1\n', true),
  file('SKILL.md', '---\nname: pdf\ndescription: Fill forms.\n---\n# PDF\n'.repeat(30)),
  file('assets/empty.txt', ''),
  file(
    'assets/bytes.bin',
    Uint8Array.from({ length: 3_000 }, (_, at) => (at * 7919) % 251),
  ),
  file('references/größe.md'),
  file(LONG, 'long'),
];

const isThere = (program: string): boolean => spawnSync(program, ['-h']).error === undefined;
const HAS_UNZIP = isThere('unzip');

function unpackBySystem(bytes: Buffer, format: ArchiveFormat): string {
  const root = makeTree({});
  const archive = join(root, `a.${format}`);
  writeFileSync(archive, bytes);
  const into = join(root, 'into');
  mkdirSync(into);
  if (format === 'skill' && HAS_UNZIP) execFileSync('unzip', ['-q', archive, '-d', into]);
  else if (format === 'skill') execFileSync('python3', ['-m', 'zipfile', '-e', archive, into]);
  else execFileSync('tar', ['xzf', archive, '-C', into]);
  return into;
}

test.for(ARCHIVE_FORMATS)(
  'system tools unpack a packed %s to the same files and executable bits',
  (format, { skip }) => {
    const isPossible = format !== 'skill' || HAS_UNZIP || isThere('python3');
    skip(!isPossible, 'neither unzip nor Python is installed');
    const into = unpackBySystem(packFiles(FILES, format).bytes, format);
    for (const { path, bytes, executable } of FILES) {
      expect([path, readFileSync(join(into, path)).equals(bytes)]).toEqual([path, true]);
      // Python's program knows no executable bits.
      const isKnown = format !== 'skill' || HAS_UNZIP;
      const isExecutable = isKnown ? (statSync(join(into, path)).mode & 0o111) !== 0 : executable;
      expect([path, isExecutable]).toEqual([path, executable]);
    }
  },
);

test.for(ARCHIVE_FORMATS)(
  'the bytes of a packed %s do not depend on file order or on the Unicode form of names',
  (format) => {
    const { bytes, digest } = packFiles(FILES, format);
    const others = FILES.toReversed().map((each) => ({ ...each, path: each.path.normalize('NFD') }));
    expect(packFiles(others, format).digest).toBe(digest);
    expect(
      packFiles([...FILES.slice(1), file('scripts/run.sh', '#!/bin/sh\necho 1\n', false)], format).digest,
    ).not.toBe(digest);
    expect(bytes.length).toBeGreaterThan(0);
  },
);

/** Recorded on Linux, x64, Node 24. If this fails on another machine, archives are not the same everywhere. */
test.for([
  ['skill', 'sha256:0cd1d5d69c59a6969966394d794dfc070288c997aab7f3870f62354376f45f0b'],
  ['tar.gz', 'sha256:388a3e1f52f1550346a5c0760f9333ed6f61c537d02a18401bd30daf8d177ec2'],
] as const)('the bytes of a packed %s are the same on every machine', ([format, digest]) => {
  expect(packFiles(FILES, format).digest).toBe(digest);
});

test('SKILL.md comes first in a packed skill, so that its first bytes show what it is', () => {
  expect(packFiles(FILES, 'skill').bytes.toString('latin1', 30, 38)).toBe('SKILL.md');
});
