import fc from 'fast-check';
import { describe, expect, test } from 'vitest';

import { captureOutput, type OutputStream } from './captured-output.ts';

interface Captured {
  readonly stdout: string;
  readonly stderr: string;
  readonly isCut: boolean;
  readonly timesFull: number;
}

function capture(chunks: readonly (readonly [OutputStream, string | Uint8Array])[], maxBytes: number): Captured {
  let timesFull = 0;
  const output = captureOutput({ maxBytes, onFull: () => (timesFull += 1) });
  for (const [stream, bytes] of chunks) output.add(stream, Buffer.from(bytes));
  output.end(false);
  return { stdout: output.text('stdout'), stderr: output.text('stderr'), isCut: output.isCut(), timesFull };
}

describe('the captured output of a process', () => {
  test('is kept up to the byte limit for both streams together', () => {
    const five = capture(
      [
        ['stdout', 'abc'],
        ['stderr', 'de'],
      ],
      5,
    );
    expect(five).toEqual({ stdout: 'abc', stderr: 'de', isCut: false, timesFull: 0 });
    const six = capture(
      [
        ['stdout', 'abc'],
        ['stderr', 'def'],
        ['stdout', 'ghi'],
      ],
      5,
    );
    expect(six).toEqual({ stdout: 'abc', stderr: 'de', isCut: true, timesFull: 1 });
  });

  test('is counted in bytes and never cut within a character', () => {
    expect(capture([['stdout', 'éé']], 4)).toMatchObject({ stdout: 'éé', isCut: false });
    expect(capture([['stdout', 'éé']], 3)).toMatchObject({ stdout: 'é', isCut: true });
    expect(capture([['stdout', '🙂🙂']], 7)).toMatchObject({ stdout: '🙂', isCut: true });
  });

  test('has invalid bytes replaced, including half a character at the end', () => {
    expect(capture([['stdout', Buffer.from([0x61, 0xff, 0x62])]], 9).stdout).toBe('a\uFFFDb');
    expect(capture([['stdout', Buffer.from([0x61, 0xc3])]], 9).stdout).toBe('a\uFFFD');
  });

  test('leaves out half a character at the end if the process was stopped', () => {
    const output = captureOutput({ maxBytes: 9, onFull: () => undefined });
    output.add('stdout', Buffer.from([0x61, 0xc3]));
    output.end(true);
    expect(output.text('stdout')).toBe('a');
  });

  test('reaches the listener in pieces of valid text', () => {
    const pieces: string[] = [];
    const output = captureOutput({ maxBytes: 99, onText: (_, text) => pieces.push(text), onFull: () => undefined });
    for (const byte of Buffer.from('a🙂\uFEFFé')) output.add('stdout', Uint8Array.of(byte));
    output.end(false);
    expect(pieces).toEqual(['a', '🙂', '\uFEFF', 'é']);
  });

  test('does not depend on how the bytes are chunked, and is a prefix of the text if it is cut', () => {
    fc.assert(
      fc.property(
        fc.string({ unit: 'grapheme' }),
        fc.array(fc.integer({ min: 1, max: 7 })),
        fc.nat(40),
        (text, sizes, max) => {
          const bytes = Buffer.from(text);
          const chunks: Buffer[] = [];
          for (let at = 0, turn = 0; at < bytes.length; turn += 1) {
            const size = sizes[turn % sizes.length] ?? bytes.length;
            chunks.push(bytes.subarray(at, at + size));
            at += size;
          }
          const { stdout, isCut } = capture(
            chunks.map((chunk) => ['stdout', chunk]),
            max,
          );
          expect(isCut).toBe(bytes.length > max);
          expect(text.startsWith(stdout)).toBe(true);
          expect(Buffer.byteLength(stdout)).toBeGreaterThan(Math.min(bytes.length, max) - 4);
        },
      ),
    );
  });
});
