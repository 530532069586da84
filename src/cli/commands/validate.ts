import { validatePath, type Validation } from '../../engine/inspect.ts';
import { resolvePaths, type ExitCode, type Invocation } from '../command.ts';
import type { Output } from '../output.ts';

export async function run(invocation: Invocation): Promise<ExitCode> {
  const { flags, isJson, out } = invocation;
  const results = resolvePaths(invocation).flatMap((path) => validatePath(path, { spec: flags.has('spec') }));
  const ok = results.every((result) => result.ok);
  if (isJson) out.json({ ok, results });
  else for (const result of results) printResult(result, out);
  return ok ? 0 : 1;
}

function printResult({ path, ok, errors, warnings }: Validation, out: Output): void {
  if (ok) out.line({ text: 'Valid skill: ', style: 'green' }, path);
  else out.note({ text: 'Validation failed for ', style: 'red' }, `${path}:`);
  for (const { message } of errors) out.note('  - ', message);
  for (const { message } of warnings) out.note({ text: '  warning: ', style: 'yellow' }, message);
}
