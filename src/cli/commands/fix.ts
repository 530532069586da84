import { fix, type FixedSkill } from '../../author.ts';
import type { Failure, Outcome } from '../../model/outcome.ts';
import { resolvePaths, type ExitCode, type Invocation } from '../command.ts';
import type { Output, Style } from '../output.ts';
import { isOnTerminal, printVerbatim } from '../verbatim.ts';

export async function run(invocation: Invocation): Promise<ExitCode> {
  const { flags, isJson, out } = invocation;
  const [spec, write] = [flags.has('spec'), flags.has('write')];
  const results: Outcome<FixedSkill>[] = [];
  for (const path of resolvePaths(invocation)) results.push(...(await fix(path, { spec, write })));
  const isDone = results.every((result) => result.ok && isRight(result));
  if (isJson) out.json({ ok: isDone, results: results.map(toJson) });
  else for (const result of results) print(result, { out, spec });
  return isDone ? 0 : 1;
}

/** Nothing is left to fix, neither here nor by hand. */
function isRight({ fixes, written, left }: FixedSkill): boolean {
  return left.length === 0 && (fixes.length === 0 || written);
}

function toJson(result: Outcome<FixedSkill>): object {
  if (!result.ok) return result;
  const fixes = result.fixes.map(({ field = null, message }) => ({ field, message }));
  const left = result.left.map(({ code, field = null, message }) => ({ code, field, message }));
  return { ...result, ok: isRight(result), fixes, left };
}

interface Printing {
  readonly out: Output;
  readonly spec: boolean;
}

function print(result: Failure | FixedSkill, { out, spec }: Printing): void {
  if ('code' in result) {
    out.note({ text: 'skillplane: ', style: 'red' }, result.message);
    return;
  }
  const { path, fixes, diff, written, left } = result;
  printDiff(diff, out);
  const verdict = written ? 'Fixed' : fixes.length > 0 ? 'Can be fixed' : 'Nothing to fix';
  out.note({ text: `${verdict}: `, style: fixes.length > 0 && !written ? 'yellow' : 'green' }, path);
  for (const { message } of fixes) out.note('  - ', message);
  for (const { message } of left) out.note({ text: '  left to you: ', style: 'red' }, message);
  if (!spec && left.some(({ code }) => code === 'UNKNOWN_FIELD'))
    out.note({ text: '  --spec moves such fields into metadata', style: 'dim' });
  if (fixes.length > 0 && !written) out.note({ text: '  --write writes this', style: 'dim' });
}

const STYLES: Readonly<Record<string, Style>> = { '-': 'red', '+': 'green', '@': 'cyan' };

/** A program gets the diff as it is, for `patch`. */
function printDiff(diff: string, out: Output): void {
  if (!isOnTerminal()) printVerbatim(diff);
  else
    for (const line of diff.split('\n').slice(0, -1)) {
      const style = STYLES[line[0] ?? ''];
      out.line(style === undefined ? line : { text: line, style });
    }
}
