import { validate, type Validation } from '../../author.ts';
import { resolvePaths, type ExitCode, type Invocation } from '../command.ts';
import type { Output } from '../output/output.ts';

export async function run(invocation: Invocation): Promise<ExitCode> {
  const { options, isJson, out } = invocation;
  const results = resolvePaths(invocation).flatMap((path) => validate(path, { spec: options.has('spec') }));
  const ok = results.every((result) => result.ok);
  if (isJson) out.json({ ok, results: results.map(toJson) });
  else for (const result of results) printResult(result, out);
  return ok ? 0 : 1;
}

/** Every finding has the same keys; `field` is null if it is about no field. */
function toJson({ errors, warnings, ...rest }: Validation): object {
  const complete = (findings: Validation['errors']): readonly object[] =>
    findings.map(({ code, field = null, message }) => ({ code, field, message }));
  return { ...rest, errors: complete(errors), warnings: complete(warnings) };
}

function printResult({ path, ok, errors, warnings }: Validation, out: Output): void {
  if (ok) out.line({ text: 'Valid skill: ', style: 'green' }, path);
  else out.note({ text: 'Validation failed for ', style: 'red' }, `${path}:`);
  for (const { message } of errors) out.note('  - ', message);
  for (const { message } of warnings) out.note({ text: '  warning: ', style: 'yellow' }, message);
}
