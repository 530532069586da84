import type { Check } from '../../engine/doctor/check-scan.ts';
import { doctor } from '../../engine/doctor/doctor.ts';
import type { ExitCode, Invocation } from '../command.ts';
import type { Piece } from '../output/output.ts';

export async function run({ cwd, env, isJson, out, sayNext }: Invocation): Promise<ExitCode> {
  const checks = await doctor({ cwd, env });
  const ok = checks.every((check) => check.status !== 'error');
  if (isJson) out.json({ ok, checks });
  else for (const check of checks) printCheck(check, { out, sayNext });
  return ok ? 0 : 1;
}

const SYMBOLS: Readonly<Record<Check['status'], Piece>> = {
  ok: { text: '✓', style: 'green' },
  info: { text: '·', style: 'dim' },
  warning: { text: '!', style: 'yellow' },
  error: { text: '✗', style: 'red' },
};

/** The words for people, where code has others. */
const LABELS: Readonly<Record<string, string>> = { hosts: 'agents', plugins: 'install' };

const AREA_WIDTH = 9;

function printCheck(
  { area, status, detail, next }: Check,
  { out, sayNext }: Pick<Invocation, 'out' | 'sayNext'>,
): void {
  out.line(SYMBOLS[status], ' ', { text: (LABELS[area] ?? area).padEnd(AREA_WIDTH), style: 'bold' }, detail);
  if (next !== undefined) out.line(' '.repeat(AREA_WIDTH + 2), { text: `→ ${sayNext(next)}`, style: 'cyan' });
}
