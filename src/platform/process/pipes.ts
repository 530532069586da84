import { closeSync, constants, mkdtempSync, openSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { attempt } from '../errors.ts';

/** Descriptors of both ends; whoever takes a pipe closes them. */
export interface Pipe {
  readonly reader: number;
  readonly writer: number;
}

/**
 * Real pipes, of which Node has none: it gives its children sockets for stdout and stderr, and on Linux nobody can
 * open a socket by path, so that `> /dev/stderr` and `tee /dev/stdout` fail in them.
 */
export interface PipeSupply {
  /** Undefined where none can be made; Node's sockets are then good enough. */
  readonly take: () => Promise<Pipe | undefined>;
  readonly close: () => void;
}

/** Making one costs as much as starting a process, and so does making some. */
const BATCH = 16;

export function openPipeSupply(makeFifos: (paths: readonly string[]) => Promise<boolean>): PipeSupply {
  const ready: number[] = [];
  return {
    take: async () => {
      if (process.platform !== 'linux') return undefined;
      if (ready.length === 0) ready.push(...(await makeBatch(makeFifos)));
      const held = ready.pop();
      return held === undefined ? undefined : split(held);
    },
    close: () => ready.splice(0).forEach((held) => closeSync(held)),
  };
}

/** Named pipes whose names are gone before anybody could use them: open for both ends, so that they stay. */
async function makeBatch(makeFifos: (paths: readonly string[]) => Promise<boolean>): Promise<readonly number[]> {
  const made = attempt(() => mkdtempSync(join(tmpdir(), 'skillplane-pipes-')));
  if (!made.ok) return [];
  const paths = Array.from({ length: BATCH }, (_, at) => join(made.value, String(at)));
  const isDone = await makeFifos(paths);
  const opened = isDone
    ? paths.map((path) => attempt(() => openSync(path, constants.O_RDWR | constants.O_NONBLOCK)))
    : [];
  attempt(() => rmSync(made.value, { recursive: true, force: true }));
  return opened.flatMap((result) => (result.ok ? [result.value] : []));
}

function split(held: number): Pipe | undefined {
  const path = `/proc/self/fd/${held}`;
  const reader = attempt(() => openSync(path, constants.O_RDONLY | constants.O_NONBLOCK));
  const writer = attempt(() => openSync(path, constants.O_WRONLY));
  closeSync(held);
  if (reader.ok && writer.ok) return { reader: reader.value, writer: writer.value };
  for (const end of [reader, writer]) if (end.ok) closeSync(end.value);
  return undefined;
}

export function closePipe({ reader, writer }: Pipe): void {
  closeSync(reader);
  closeSync(writer);
}
