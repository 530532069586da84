import { execFileSync, spawnSync } from 'node:child_process';
import { mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { deflateRawSync } from 'node:zlib';

import fc from 'fast-check';
import { expect, test } from 'vitest';

import { propertyRuns } from '../../../test/support/property-runs.ts';
import { makeTree } from '../../../test/support/tree.ts';
import type { FileContent } from '../digest.ts';
import { openArchive } from './open-archive.ts';
import { ARCHIVE_FORMATS, packFiles, type Archive, type ArchiveFormat } from './pack-files.ts';

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
const RECORDED = {
  skill: 'sha256:fa988219b5023fc7eaf01572bde65ced0fd376edb731fd4c6d34c7e9d75cb6a8',
  'tar.gz': 'sha256:59acf746cfb9d2b94d42c92d6bb61514e64c4477616aeb43b3751f4f8a4bb712',
} as const;

test.for(ARCHIVE_FORMATS)('the bytes of a packed %s are the same on every machine', (format) => {
  expect(packFiles(FILES, format).digest).toBe(RECORDED[format]);
});

test('the bytes of archives are the same in every time zone', () => {
  const program = `
    const { packFiles } = await import(${JSON.stringify(join(import.meta.dirname, 'pack-files.ts'))});
    const files = [{ path: 'SKILL.md', executable: false, bytes: Buffer.from('text') }];
    const digests = ['UTC', 'America/St_Johns', 'Pacific/Kiritimati', 'Asia/Kathmandu'].flatMap((zone) => {
      process.env.TZ = zone;
      return ['skill', 'tar.gz'].map((format) => packFiles(files, format).digest);
    });
    console.log(new Set(digests).size);`;
  const ran = spawnSync(process.execPath, ['--input-type=module', '-e', program], { encoding: 'utf8' });
  expect([ran.stderr, ran.stdout]).toEqual(['', '2\n']);
});

test('SKILL.md comes first in a packed skill, so that its first bytes show what it is', () => {
  expect(packFiles(FILES, 'skill').bytes.toString('latin1', 30, 38)).toBe('SKILL.md');
  const numbered = packFiles([file('1'), file('SKILL.md')], 'skill').bytes;
  expect(numbered.toString('latin1', 30, 38)).toBe('SKILL.md');
});

function unpacked({ bytes }: Archive): Readonly<Record<string, Buffer>> {
  const opened = openArchive(bytes);
  if (!opened.ok) throw new Error(opened.message);
  const { entries, read } = opened.archive;
  const contents = entries.map(({ path, size }) => {
    const content = read(path, size);
    if (!content.ok) throw new Error(content.message);
    return [path, Buffer.from(content.bytes)] as const;
  });
  return Object.fromEntries(contents);
}

test.for(ARCHIVE_FORMATS)('a packed %s has every file, whatever its name', (format) => {
  const names = ['__proto__', 'constructor', '10', '9', 'a/__proto__', 'SKILL.md'];
  const archive = packFiles(
    names.map((name) => file(name)),
    format,
  );
  expect(Object.keys(unpacked(archive)).sort()).toEqual(names.toSorted());
});

test('zlib unpacks everything that is packed, whatever the bytes', () => {
  const bytes = fc.oneof(
    fc.uint8Array({ maxLength: 2_000 }),
    fc.array(fc.constantFrom(0, 65, 66, 255), { maxLength: 5_000 }).map((values) => Uint8Array.from(values)),
    fc.string({ maxLength: 500 }).map((text) => Buffer.from(text.repeat(20))),
  );
  fc.assert(
    fc.property(bytes, fc.constantFrom(...ARCHIVE_FORMATS), (data, format) => {
      expect(unpacked(packFiles([file('a', data)], format))['a']?.equals(data)).toBe(true);
    }),
    { numRuns: propertyRuns(300), seed: 20261118 },
  );
});

test.for(ARCHIVE_FORMATS)(
  'zlib unpacks a %s of long runs, of many blocks and of repeats at the greatest distance',
  (format) => {
    const needle = Buffer.from('needle in a haystack');
    const far = Buffer.concat([needle, noise(32_700), needle]);
    const contents = [Buffer.alloc(200_000), noise(98_303), noise(163_841), noise(1_000_000), far, Buffer.from('a')];
    const archive = packFiles(
      contents.map((content, at) => file(`${at}`, content)),
      format,
    );
    expect(Object.values(unpacked(archive)).map((content, at) => content.equals(contents[at] ?? needle))).toEqual(
      contents.map(() => true),
    );
  },
);

test.for(ARCHIVE_FORMATS)('a %s is about as small as zlib makes it, and noise hardly grows', (format) => {
  const text = Buffer.from(
    Array.from({ length: 4_000 }, (_, at) => `Line ${at}: fill the form ${at % 37}, then check ${at % 11}.\n`).join(''),
  );
  expect(packFiles([file('a', text)], format).bytes.length).toBeLessThan(deflateRawSync(text).length * 1.1);
  expect(packFiles([file('a', noise(100_000))], format).bytes.length).toBeLessThan(100_500);
});

/** The same bytes at every run. */
function noise(length: number): Buffer {
  let state = 1;
  return Buffer.from(
    Array.from({ length }, () => {
      state = (Math.imul(state, 1_103_515_245) + 12_345) >>> 0;
      return state >>> 24;
    }),
  );
}
