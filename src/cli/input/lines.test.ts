import { PassThrough, Readable } from 'node:stream';

import { expect, test } from 'vitest';

import { readLines, type Line } from './lines.ts';

const never = new AbortController().signal;

async function linesOf(chunks: readonly (string | Buffer)[], maxBytes = 100): Promise<readonly (string | Line)[]> {
  const stream = Readable.from(chunks.map((chunk) => Buffer.from(chunk as string)));
  const lines: (string | Line)[] = [];
  for await (const line of readLines(stream, { maxBytes, signal: never })) lines.push(line.ok ? line.text : line);
  return lines;
}

test('reading lines joins chunks, and the last line needs no line end', async () => {
  expect(await linesOf(['a', 'b\nc\n\nd', 'e'])).toEqual(['ab', 'c', '', 'de']);
  expect(await linesOf([])).toEqual([]);
  expect(await linesOf(['a\n'])).toEqual(['a']);
});

test('reading lines keeps a character whole that is split between chunks', async () => {
  const bytes = Buffer.from('é🚀\nx');
  expect(await linesOf([...bytes].map((byte) => Buffer.from([byte])))).toEqual(['é🚀', 'x']);
});

test('reading lines treats separators other than line feeds as text', async () => {
  expect(await linesOf(['a\u2028b\u0085c\n'])).toEqual(['a\u2028b\u0085c']);
});

test('reading lines reports a line that is too long or not UTF-8 and reads on', async () => {
  expect(await linesOf(['x'.repeat(60), 'x'.repeat(60), '\n', Buffer.from([0xff, 10]), 'ok\n'])).toEqual([
    { ok: false, problem: 'the line has 120 bytes' },
    { ok: false, problem: 'the line is not UTF-8' },
    'ok',
  ]);
});

test('reading lines stops on an interrupt while it waits', async () => {
  const stream = new PassThrough();
  const controller = new AbortController();
  const lines = readLines(stream, { maxBytes: 10, signal: controller.signal });
  stream.write('a\nb');
  expect(await lines.next()).toMatchObject({ value: { text: 'a' } });
  const next = lines.next();
  controller.abort();
  expect(await next).toMatchObject({ done: true });
});

test('reading lines stops on an interrupt even if more lines are buffered', async () => {
  const controller = new AbortController();
  const lines = readLines(Readable.from([Buffer.from('a\nb\nc')]), { maxBytes: 10, signal: controller.signal });
  expect(await lines.next()).toMatchObject({ value: { text: 'a' } });
  controller.abort();
  expect(await lines.next()).toMatchObject({ done: true });
});
