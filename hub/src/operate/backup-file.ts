import { createReadStream, createWriteStream, existsSync, renameSync, rmSync } from 'node:fs';
import { createInterface } from 'node:readline';
import { pipeline } from 'node:stream/promises';
import { createGunzip, createGzip } from 'node:zlib';

/** Writes lines into a packed file that only its user can read. It appears whole or not at all, and replaces none. */
export async function writeBackupFile(
  file: string,
  writeLines: (write: (line: string) => Promise<void>) => Promise<unknown>,
): Promise<void> {
  if (existsSync(file)) throw new Error(`${file} is there already; name another file`);
  const part = `${file}.part`;
  const packed = createGzip();
  const written = pipeline(packed, createWriteStream(part, { mode: 0o600 }));
  // The writer notices a failure of the file when it writes next, or at the end.
  let failure: Error | undefined;
  written.catch((error: unknown) => {
    failure = error instanceof Error ? error : new Error(String(error));
  });
  try {
    await writeLines(async (line) => {
      if (failure !== undefined) throw failure;
      if (!packed.write(line)) await Promise.race([new Promise((resolve) => packed.once('drain', resolve)), written]);
    });
    packed.end();
    await written;
    renameSync(part, file);
  } catch (error) {
    packed.destroy();
    await written.catch(() => undefined);
    rmSync(part, { force: true });
    throw error;
  }
}

/** The lines of such a file. Throws with a message for people if it is cut or damaged. */
export async function* readBackupFile(file: string): AsyncGenerator<string> {
  const unpacked = createGunzip();
  const reading = pipeline(createReadStream(file), unpacked);
  // Awaited below; until then it must not end the process.
  reading.catch(() => undefined);
  try {
    yield* createInterface({ input: unpacked, crlfDelay: Infinity });
    await reading;
  } catch (error) {
    throw explain(error, file);
  }
}

function explain(error: unknown, file: string): unknown {
  const code = error instanceof Error && 'code' in error ? String(error.code) : '';
  if (code === 'Z_BUF_ERROR') return new Error(`${file} is cut: its end is missing`, { cause: error });
  if (code.startsWith('Z_')) return new Error(`${file} is not a backup of a hub, or damaged`, { cause: error });
  return error;
}
