import { openKeptAnswer, readEnvironment } from '../index.ts';
import type { ExitCode } from './command.ts';
import { openOutput, type Output, type Streams } from './output/output.ts';
import type { StandardStream } from './output/standard-stream.ts';

/** A command line, and where it is asked. */
export interface AskedLine {
  readonly argv: readonly string[];
  readonly cwd: string;
  readonly env: Streams['env'];
}

/**
 * Prints what the same command line printed before, if everything that it looked at is as it was. Otherwise makes the answer
 * and keeps it; not one that warns on stderr, since the next one should warn, too.
 */
export async function answerAgain(
  { argv, cwd, env }: AskedLine,
  streams: Streams,
  make: (out: Output) => Promise<ExitCode>,
): Promise<ExitCode> {
  const { stdout, stderr } = streams;
  // The names of bundles change with their content. Sources change without a trace.
  if (!import.meta.url.endsWith('.js')) return make(openOutput(streams));
  const kept = openKeptAnswer([import.meta.url, process.version, ...argv], readEnvironment({ cwd, env }));
  if (kept.replay((piece) => stdout.write(piece))) return 0;
  using recording = kept.record();
  let hasWarned = false;
  const recorded: StandardStream = {
    ...stdout,
    write: (chunk) => {
      recording.add(typeof chunk === 'string' ? Buffer.from(chunk) : chunk);
      return stdout.write(chunk);
    },
  };
  const watched: StandardStream = {
    ...stderr,
    write: (chunk) => {
      hasWarned = true;
      return stderr.write(chunk);
    },
  };
  const code = await make(openOutput({ ...streams, stdout: recorded, stderr: watched }));
  if (code === 0 && !hasWarned) recording.keep();
  return code;
}
