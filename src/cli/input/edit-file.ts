import { spawn } from 'node:child_process';
import { once } from 'node:events';

import type { Io } from '../io.ts';

/** Opens a file in an editor and waits until it closes. Returns the problem, if there was one. */
export async function editFile(
  [command = '', ...args]: readonly string[],
  file: string,
  env: Io['env'],
): Promise<string | undefined> {
  const child = spawn(command, [...args, file], { stdio: 'inherit', shell: false, env });
  try {
    const [code, signal]: unknown[] = await once(child, 'close');
    return code === 0 ? undefined : `${command} ended with ${String(code ?? signal)}`;
  } catch (error) {
    if (error instanceof Error && 'code' in error) return `${command} could not be started: ${String(error.code)}`;
    throw error;
  }
}
