import { runProcess, type ProcessOptions } from '../process/run-process.ts';

/** A machine under load may need a second to start a program. */
export const TRIAL_MS = 5_000;

/** Runs a command that should end with 0 and print no error; says what went wrong, undefined if nothing did. */
export async function tryCommand(
  command: readonly string[],
  options: Partial<ProcessOptions> = {},
): Promise<string | undefined> {
  const bounds = { cwd: '/', env: {}, timeoutMs: TRIAL_MS, maxOutputBytes: 4_096, graceMs: 0 };
  const { ended, exitCode, stderr, startError } = await runProcess(command, { ...bounds, ...options });
  if (exitCode === 0 && stderr === '') return undefined;
  return stderr.split('\n', 1)[0] || startError || (ended === 'exited' ? `exit code ${exitCode}` : ended);
}
