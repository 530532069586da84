import { existsSync } from 'node:fs';

import type { Skills } from '../../engine/open-skills.ts';
import type { EvaluateSkillsOptions } from '../../evals/evaluate-skills.ts';
import { suggestDescriptions, type SkillSuggestions } from '../../evals/suggest-descriptions.ts';
import type { ExitCode, Invocation } from '../command.ts';
import { describeFailure, reportFailure } from '../output/failure.ts';
import { printDiff } from '../output/print-diff.ts';

/** Prints suggestions for each path's requests: diffs to stdout, everything else to stderr. */
export async function suggestForAll(
  engine: Skills,
  { paths, ...options }: EvaluateSkillsOptions & { readonly paths: readonly string[] },
  invocation: Invocation,
): Promise<ExitCode> {
  const { isJson, out } = invocation;
  const results: object[] = [];
  const isMany = paths.length > 1;
  let code: ExitCode = 0;
  for (const path of paths) {
    const suggested = await suggestDescriptions(engine, path, options);
    // With many skills, those without requests are skipped.
    const isSkipped = isMany && !suggested.ok && suggested.code === 'RESOURCE_NOT_FOUND' && existsSync(path);
    if (!suggested.ok && !isSkipped) code = 1;
    if (isJson) results.push(suggested.ok ? suggested : { ...describeFailure(suggested), file: path });
    else if (isSkipped) out.note(suggested.message);
    else if (!suggested.ok) reportFailure(invocation, suggested);
    else print(suggested, invocation);
  }
  if (isJson) out.json(isMany ? { ok: code === 0, results } : results[0]);
  return code;
}

function print({ before, after, suggestions, without }: SkillSuggestions, { out }: Invocation): void {
  for (const { skill, words, diff, better } of suggestions) {
    // Byte for byte into a pipe, so that `patch` can read it.
    if (out.isTerminal) printDiff(diff, out);
    else out.verbatim(diff);
    out.note({ text: `${skill}: `, style: 'green' }, words.join(', '));
    for (const request of better) out.note('  better: ', request.replaceAll(/\s+/g, ' ').trim());
  }
  for (const { skill, reason } of without) out.note({ text: `${skill}: `, style: 'yellow' }, reason);
  if (suggestions.length > 0)
    out.note(`Hit@1 ${change(before.hit1, after.hit1)}, nDCG@10 ${change(before.ndcg10, after.ndcg10)}`);
  else if (without.length === 0) out.note('Every request finds its skill: there is nothing to suggest');
}

function change(before: number, after: number): string {
  return `${before.toFixed(3)} \u2192 ${after.toFixed(3)}`;
}
