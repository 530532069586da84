import { fix, type FixedSkill } from '../../author/fix.ts';
import type { Outcome } from '../../model/outcome.ts';
import { quoteWord } from '../../model/shell-word.ts';
import type { ExitCode, Invocation } from '../command.ts';
import { resolveSkillPaths } from '../input/skill-paths.ts';
import { reportFailure } from '../output/failure.ts';
import { printDiff } from '../output/print-diff.ts';

export async function run(invocation: Invocation): Promise<ExitCode> {
  const { options, isJson, out } = invocation;
  const [spec, write] = [options.has('spec'), !options.has('dryRun')];
  const results: Outcome<FixedSkill>[] = [];
  for (const path of await resolveSkillPaths(invocation)) results.push(...(await fix(path, { spec, write })));
  const isDone = results.every((result) => result.ok && result.isRight);
  if (isJson) out.json({ ok: isDone, results });
  else {
    for (const result of results) print(result, invocation);
    if (!spec && results.some((result) => result.ok && result.left.some(({ code }) => code === 'UNKNOWN_FIELD')))
      out.note({ text: '--spec moves every field that the specification does not define into metadata', style: 'dim' });
  }
  return isDone ? 0 : 1;
}

function print(result: Outcome<FixedSkill>, invocation: Invocation): void {
  if (!result.ok) {
    reportFailure(invocation, result);
    return;
  }
  const { out } = invocation;
  const { path, fixes, diff, written, left } = result;
  // Unchanged in a pipe, so that `patch` can read it.
  if (out.isTerminal) printDiff(diff, out);
  else out.verbatim(diff);
  const verdict = judge(result);
  out.note(
    { text: `${verdict}: `, style: verdict === 'Fixed' || verdict === 'Nothing to fix' ? 'green' : 'yellow' },
    path,
  );
  for (const { message } of fixes) out.note('  - ', message);
  for (const { message } of left) out.error({ text: '  fix by hand: ', style: 'red' }, message);
  if (fixes.length > 0 && !written)
    out.note({ text: `  Apply these fixes with \`skillplane validate --fix ${quoteWord(path)}\`.`, style: 'dim' });
}

function judge({ fixes, written, left }: FixedSkill): string {
  if (written) return 'Fixed';
  if (fixes.length > 0) return 'Can be fixed';
  return left.length > 0 ? 'Cannot be fixed automatically' : 'Nothing to fix';
}
