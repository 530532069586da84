import { type Check, type CheckAction, doctor } from '../../index.ts';
import { quoteWord } from '../../model/shell-word.ts';
import type { ExitCode, Invocation } from '../command.ts';
import type { Output, Piece } from '../output/output.ts';

export async function run({ cwd, env, isJson, out, renderHint }: Invocation): Promise<ExitCode> {
  const found = await doctor({ cwd, env });
  const checks = found.map(({ remedy, ...check }) => {
    return { ...check, remedy: remedy === undefined ? undefined : renderHint(remedy) };
  });
  const ok = checks.every((check) => check.status !== 'error');
  if (isJson) out.json({ ok, checks });
  else for (const check of checks) printCheck(check, out);
  return ok ? 0 : 1;
}

const SYMBOLS: Readonly<Record<Check['status'], Piece>> = {
  ok: { text: '✓', style: 'green' },
  info: { text: '·', style: 'dim' },
  warning: { text: '!', style: 'yellow' },
  error: { text: '✗', style: 'red' },
};

const AREA_WIDTH = 9;

function printCheck({ area, status, detail, remedy, action }: Check, out: Output): void {
  out.line(SYMBOLS[status], ' ', { text: area.padEnd(AREA_WIDTH), style: 'bold' }, detail);
  if (remedy === undefined) return;
  const command = action === undefined ? undefined : commandOf(action);
  const text = command === undefined || remedy.includes(command) ? remedy : `${remedy} \`${command}\` does it.`;
  out.line(' '.repeat(AREA_WIDTH + 2), { text: `→ ${text}`, style: 'cyan' });
}

/** The command that carries an action out. */
function commandOf(action: CheckAction): string {
  switch (action.kind) {
    case 'setting':
      return `skillplane config set ${action.setting}${action.change === 'add' ? '+' : ''}=${quoteWord(action.value)}`;
    case 'fix':
      return `skillplane fix ${quoteWord(action.dir)}`;
    case 'copy':
      return `skillplane update ${quoteWord(action.skill)}`;
    case 'restore':
      return 'skillplane install --frozen';
    case 'connect':
    default:
      return `skillplane hosts connect ${action.host}`;
  }
}
