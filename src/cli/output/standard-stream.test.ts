import { execFileSync, spawn } from 'node:child_process';
import { closeSync, constants, createReadStream, openSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

import { expect, test } from 'vitest';

import { makeFifo } from '../../../test/support/fifo.ts';
import { makeTree } from '../../../test/support/tree.ts';

/** Prints as many bytes, and then a line, to stdout. */
const PROGRAM = `
  import { writeSync } from 'node:fs';
  const { openStandardStream } = await import(process.argv[1]);
  const stream = openStandardStream(process.stdout);
  for (let left = Number(process.argv[2]); left > 0; left -= 50_000) stream.write('x'.repeat(Math.min(left, 50_000)));
  stream.write(Buffer.from('end\\n'));
  process.on('exit', () => writeSync(2, JSON.stringify([stream.isTTY, stream.isClosed()])));`;
const FILE = new URL('standard-stream.ts', import.meta.url).href;
const command = (bytes: number): readonly string[] => ['--input-type=module', '-e', PROGRAM, FILE, String(bytes)];

function start(bytes: number, stdout: number | 'pipe'): ReturnType<typeof spawn> {
  return spawn(process.execPath, command(bytes), { stdio: ['ignore', stdout, 'pipe'] });
}

async function textOf(stream: NodeJS.ReadableStream | null | undefined): Promise<string> {
  let text = '';
  for await (const chunk of stream ?? []) text += String(chunk);
  return text;
}

test('a long answer is written to a pipe completely', async () => {
  const child = start(1_000_000, 'pipe');
  const [text, told] = await Promise.all([textOf(child.stdout), textOf(child.stderr)]);
  expect(text).toHaveLength(1_000_004);
  expect(text.endsWith('xend\n')).toBe(true);
  expect(told).toBe('[false,false]');
});

test('an answer is appended to the file that stdout is redirected to', () => {
  const file = join(makeTree(), 'out.txt');
  execFileSync('sh', ['-c', 'printf before > "$0"; exec "$@" >> "$0"', file, process.execPath, ...command(10)], {
    stdio: 'pipe',
  });
  expect(readFileSync(file, 'utf8')).toBe('beforexxxxxxxxxxend\n');
});

test('a reader that closes the pipe early causes no error', async () => {
  const child = start(10_000_000, 'pipe');
  child.stdout?.destroy();
  const told = await textOf(child.stderr);
  expect(told).toBe('[false,true]');
  expect(child.exitCode ?? (await new Promise((resolve) => child.once('exit', resolve)))).toBe(0);
});

test('a long answer is written to a non-blocking pipe completely', async ({ skip }) => {
  skip(process.platform === 'win32', 'this needs a POSIX system');
  const path = join(makeTree(), 'pipe');
  makeFifo(path);
  const pipe = openSync(path, constants.O_RDWR | constants.O_NONBLOCK);
  const child = start(1_000_000, pipe);
  // Read from the start: what is unread when the process ends is dropped.
  const told = textOf(child.stderr);
  const reader = createReadStream(path);
  let text = '';
  for await (const chunk of reader) {
    text += String(chunk);
    if (text.endsWith('end\n')) break;
  }
  closeSync(pipe);
  expect(text).toHaveLength(1_000_004);
  expect(await told).toBe('[false,false]');
});
