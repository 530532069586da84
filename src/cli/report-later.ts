import { claimUseReport } from '../engine/skill-usage.ts';
import { readEnvironment } from '../platform/environment.ts';
import type { Invocation } from './command.ts';

/** Reports usage to hubs a few times a day in a background process, so that no command waits for a hub. */
export async function reportUseLater({ command, cwd, env }: Invocation): Promise<void> {
  if (command.name === 'usage') return;
  const environment = readEnvironment({ cwd, env });
  if (!(await claimUseReport(environment))) return;
  // Lazy: nearly every command has nothing to report.
  const [{ ownCommand }, { spawn }] = await Promise.all([
    import('../platform/package-file.ts'),
    import('node:child_process'),
  ]);
  const [program = '', ...args] = ownCommand(false);
  const child = spawn(program, [...args, 'usage', '--send', '--quiet'], {
    cwd: environment.home,
    env,
    detached: true,
    stdio: 'ignore',
    windowsHide: true,
  });
  child.on('error', () => undefined);
  child.unref();
}
