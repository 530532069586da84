import { type Check, doctor } from '../../index.ts';
import type { ExitCode, Invocation } from '../command.ts';
import type { Output, Piece } from '../output/output.ts';

export async function run({ cwd, isJson, out, renderHint }: Invocation): Promise<ExitCode> {
  const found = await doctor({ cwd });
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

function printCheck({ area, status, detail, remedy }: Check, out: Output): void {
  out.line(SYMBOLS[status], ' ', { text: area.padEnd(AREA_WIDTH), style: 'bold' }, detail);
  if (remedy !== undefined) out.line(' '.repeat(AREA_WIDTH + 2), { text: `→ ${remedy}`, style: 'cyan' });
}
