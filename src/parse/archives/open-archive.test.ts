import { gzipSync } from 'node:zlib';

import fc from 'fast-check';
import { unzipSync } from 'fflate';
import { describe, expect, test } from 'vitest';

import { tar, zip } from '../../../test/support/archives.ts';
import { propertyRuns } from '../../../test/support/property-runs.ts';
import { openArchive, type OpenArchive } from './open-archive.ts';

const MEBIBYTE = 1024 * 1024;

function open(bytes: Buffer): OpenArchive {
  const opened = openArchive(bytes);
  if (!opened.ok) throw new Error(opened.message);
  return opened.archive;
}

function refusal(bytes: Buffer, limits?: Parameters<typeof openArchive>[1]): string {
  const opened = openArchive(bytes, limits);
  return opened.ok ? 'it was opened' : opened.message;
}

describe('opening an archive', () => {
  const text = { name: 'pdf/SKILL.md', content: 'text' };
  const script = { name: 'pdf/run.sh', content: 'echo' };
  test.each([
    ['zip', zip([text, { ...script, mode: 0o100755, isStored: true }])],
    ['tar.gz', gzipSync(tar([{ name: './', type: '5' }, text, { ...script, isExecutable: true }]))],
  ])('gives the files of a %s with their executable bits', (format, bytes) => {
    const archive = open(bytes);
    expect(archive).toMatchObject({
      format,
      entries: [
        { path: 'pdf/SKILL.md', kind: 'file', size: 4, executable: false },
        { path: 'pdf/run.sh', kind: 'file', size: 4, executable: true },
      ],
    });
    const contents = archive.entries.map(({ path }) => archive.read(path, 10));
    expect(contents.map((read) => read.ok && Buffer.from(read.bytes).toString())).toEqual(['text', 'echo']);
  });

  test('ignores the comment of a zip', () => {
    const plain = zip([{ name: 'a', content: 'b' }]);
    const commented = Buffer.concat([plain, Buffer.from('hello')]);
    commented.writeUInt16LE(5, plain.length - 2);
    expect(open(commented).entries).toHaveLength(1);
  });

  test("does not read a file that is larger than the caller's limit", () => {
    const archive = open(zip([{ name: 'a', content: 'four' }]));
    expect(archive.read('a', 3)).toMatchObject({ ok: false, message: 'it is larger than 3 bytes' });
  });
});

describe('an archive', () => {
  const long = { name: '././@LongLink', type: 'L', content: '../x\0' };
  const pax = (record: string): Buffer =>
    gzipSync(
      tar([
        { name: 'h', type: 'x', content: record },
        { name: 'a', content: 'b' },
      ]),
    );
  const one = zip([{ name: 'x', content: 'words', isStored: true }]);
  test.each([
    ['an absolute path', zip([{ name: '/etc/x', content: '' }]), '"/etc/x" has a path that is absolute'],
    ['a climbing path', zip([{ name: 'a/../../x', content: '' }]), '"a/../../x" has a path that leaves'],
    ['a backslash', zip([{ name: 'a\\..\\x', content: '' }]), 'backslash'],
    ['a drive', zip([{ name: 'c:x', content: '' }]), 'is absolute'],
    ['a long climbing name', gzipSync(tar([long, { name: 'a', content: 'b' }])), '"../x" has a path that leaves'],
    ['a climbing folder', gzipSync(tar([{ name: '../', type: '5' }])), '"../" has a path that leaves'],
    [
      'a name twice',
      zip([
        { name: 'a', content: '1' },
        { name: './a', content: '2' },
      ]),
      '"./a" is listed twice',
    ],
    ['a password', zip([{ name: 'a', content: '', isLocked: true }]), '"a" needs a password'],
    ['another method', zip([{ name: 'a', content: '', method: 14 }]), '"a" uses an unsupported compression'],
    ['two names', zip([{ name: 'a', content: '', localName: 'b' }]), 'a has the name b in its own header'],
    ['bytes before it', Buffer.concat([Buffer.from('PK  '), one]), 'bytes precede the archive'],
    ['a cut zip', one.subarray(0, -10), 'it has no directory'],
    ['a cut tar.gz', gzipSync(tar([{ name: 'a', content: 'b' }])).subarray(0, -12), 'cannot be unpacked'],
    [
      'bytes after a gzip',
      Buffer.concat([gzipSync(tar([])), Buffer.alloc(8), Buffer.from('x')]),
      'follow the packed data',
    ],
    ['no tar in the gzip', gzipSync('words'), 'data follows the end'],
    ['two sizes', pax('9 size=99\n'), 'an entry has two sizes'],
    ['a plain file', Buffer.from('hello'), 'neither a zip nor a tar.gz'],
    ['nothing', Buffer.alloc(0), 'neither a zip nor a tar.gz'],
  ])('is refused with the reason: %s', (_what, bytes, message) => {
    expect(refusal(bytes)).toContain(message);
  });

  test('is refused if it unpacks to too much or has too many entries, whatever it claims', () => {
    const limits = { packedBytes: MEBIBYTE, unpackedBytes: MEBIBYTE, entries: 5 };
    const big = Buffer.alloc(2 * MEBIBYTE);
    expect(refusal(zip([{ name: 'a', content: big }]), limits)).toContain('unpacks to more than 1 MiB');
    expect(refusal(gzipSync(big), limits)).toContain('unpacks to more than 1 MiB');
    expect(refusal(gzipSync(Buffer.alloc(100 * MEBIBYTE)))).toContain('far more than it is');
    expect(refusal(big, limits)).toContain('larger than 1 MiB');
    const many = Array.from({ length: 6 }, (_, at) => ({ name: `${at}`, content: '' }));
    expect(refusal(zip(many), limits)).toContain('it has 6 entries');
    const liar = open(zip([{ name: 'a', content: big, claimedSize: 10 }]));
    expect(liar.read('a', MEBIBYTE)).toMatchObject({ ok: false, code: 'PATH_REFUSED' });
  });

  test('is refused when a file with a wrong checksum is read', () => {
    const bytes = Buffer.from(zip([{ name: 'a', content: 'words', isStored: true }]));
    bytes.write('swords'.slice(0, 5), bytes.indexOf('words'));
    const archive = open(bytes);
    expect(archive.read('a', 100)).toMatchObject({ ok: false, code: 'PATH_REFUSED' });
  });

  test.each([
    ['two names for one entry', zip([{ name: 'a', content: 'x', localName: 'b' }]), { a: 'x' }],
    [
      'one name for two entries',
      zip([
        { name: 'a', content: '1' },
        { name: 'a', content: '2' },
      ]),
      { a: '2' },
    ],
    ['a size that cuts the data', zip([{ name: 'a', content: 'words', claimedSize: 2 }]), { a: 'wo' }],
  ])('is refused also where fflate would read it: %s', (_what, bytes, read) => {
    const byFflate = Object.entries(unzipSync(bytes)).map(([path, content]) => [path, Buffer.from(content).toString()]);
    expect(Object.fromEntries(byFflate)).toEqual(read);
    const opened = openArchive(bytes);
    expect(opened.ok && opened.archive.read('a', 100).ok).toBe(false);
  });

  test('is refused when a link is read as a file', () => {
    const links = [
      open(zip([{ name: 'a', content: '/etc/passwd', isLink: true }])),
      open(gzipSync(tar([{ name: 'a', type: '2' }]))),
      open(gzipSync(tar([{ name: 'a', type: '1' }]))),
    ];
    for (const archive of links) {
      expect(archive.entries).toMatchObject([{ path: 'a', kind: 'link' }]);
      expect(archive.read('a', 100)).toMatchObject({ ok: false });
    }
  });
});

test('opening a damaged archive never throws and never gives a path outside it', () => {
  const archives = [
    zip([
      { name: 'a/b.sh', content: 'x' },
      { name: 'c', content: 'd', isStored: true },
    ]),
    gzipSync(tar([{ name: 'a', content: 'x' }])),
  ];
  fc.assert(
    fc.property(fc.constantFrom(...archives), fc.nat(), fc.nat({ max: 255 }), (archive, at, value) => {
      const damaged = Buffer.from(archive);
      damaged[at % damaged.length] = value;
      const opened = openArchive(damaged);
      for (const { path } of opened.ok ? opened.archive.entries : []) {
        expect(path).not.toMatch(/^\/|(?:^|\/)\.\.(?:\/|$)/);
        if (opened.ok) opened.archive.read(path, 1000);
      }
    }),
    { numRuns: propertyRuns(1000), seed: 20261117 },
  );
});
