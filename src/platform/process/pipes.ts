import { closeSync, constants, mkdtempSync, openSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { attempt } from '../errors.ts';

/** The descriptors of both ends; the caller closes them. */
export interface Pipe {
  readonly reader: number;
  readonly writer: number;
}

/**
 * Supplies real pipes, which Node lacks: it gives its children sockets as stdout and stderr. Linux cannot open a socket by
 * path, so `> /dev/stderr` and `tee /dev/stdout` would fail in them.
 */
export interface PipeSupply {
  /** Undefined if pipes cannot be created; Node's sockets must then do. */
  readonly take: () => Promise<Pipe | undefined>;
  readonly close: () => void;
}

/** Creating several costs as much as creating one: the start of a process. */
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

/** Named pipes whose names are removed before anyone can use them; opened for both ends, so that they stay. */
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
