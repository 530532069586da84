import { displayWidth } from '../../model/display-width.ts';
import { splitCommand } from '../../model/split-command.ts';
import type { Io } from '../io.ts';
import type { HeldText } from './output.ts';

/**
 * The words of the command that shows long answers: $SKILLPLANE_PAGER, $PAGER or `less`. Undefined if one of them is
 * empty or `cat`, or if $NO_PAGER is set.
 */
export function findPager(env: Io['env']): readonly string[] | undefined {
  if (env['NO_PAGER'] || env['TERM'] === 'dumb') return undefined;
  const words = splitCommand(env['SKILLPLANE_PAGER'] ?? env['PAGER'] ?? 'less');
  return words.length === 0 || words[0] === 'cat' ? undefined : words;
}

/** Shows the answer of a command: in the pager if it is longer than the screen, else at once. */
export async function showHeld(held: readonly HeldText[], pager: readonly string[], io: Io): Promise<void> {
  const { stdout } = io;
  const answer = held.filter(({ stream }) => stream === stdout).map(({ text }) => text);
  const isShown = isLonger(answer.join(''), stdout) && (await page(answer.join(''), pager, io));
  for (const { stream, text } of held) if (!isShown || stream !== stdout) stream.write(text);
}

function isLonger(text: string, { rows = 0, columns = 80 }: Io['stdout']): boolean {
  // oxlint-disable-next-line no-control-regex
  const lines = text.replaceAll(/\u001B\[\d+m/g, '').split('\n');
  const height = lines.reduce((sum, line) => sum + Math.max(1, Math.ceil(displayWidth(line) / columns)), 0);
  // The part after the last line end stands for the line of the shell's prompt.
  return height > rows;
}

/** Runs the pager until its user leaves it. False if it cannot be started. */
async function page(text: string, [command = '', ...args]: readonly string[], { env, signals }: Io): Promise<boolean> {
  const { spawn } = await import('node:child_process');
  const child = spawn(command, args, {
    stdio: ['pipe', 'inherit', 'inherit'],
    // As git and gh set them: show colours, end at once if all fits, leave the text on the screen.
    env: { ...env, LESS: env['LESS'] ?? 'FRX', LV: env['LV'] ?? '-c' },
  });
  // A pager that is left before the end of the text does not read the rest.
  child.stdin.on('error', () => undefined);
  child.stdin.end(text);
  // Ctrl-C is for the pager, which has the terminal.
  const stay = (): void => undefined;
  signals.on('SIGINT', stay);
  const isStarted = await new Promise<boolean>((resolve) => {
    child.once('error', () => resolve(false)).once('close', () => resolve(true));
  });
  signals.off('SIGINT', stay);
  return isStarted;
}
