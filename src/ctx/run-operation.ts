import { hasRun, toScriptResult, type ScriptResult } from '../agent/script-result.ts';
import { splitArguments } from '../agent/slash-arguments.ts';
import { cutMiddle } from '../agent/text-page.ts';
import type { Skills } from '../engine/open-skills.ts';
import { parseJson } from '../model/json.ts';
import { fail, type Outcome } from '../model/outcome.ts';
import type { CtxFailure } from './answer.ts';
import { findTarget } from './find-target.ts';
import type { Statement } from './statement.ts';

/** Per stream. */
const MAX_STREAM_CHARACTERS = 20_000;

export interface HandleOptions {
  /** Stops a script that is running. */
  readonly signal?: AbortSignal | undefined;
}

/** `>s`: the arguments are words as in a shell, or a JSON array of strings. */
export async function answerRun(
  skills: Skills,
  { target = '', pairs: { script = '', args = '' } }: Statement,
  { signal }: HandleOptions,
): Promise<ScriptResult | CtxFailure> {
  const found = findTarget(skills, target);
  if (!found.ok) return found;
  const given = readArguments(args);
  if (!given.ok) return given;
  const outcome = await skills.scripts.run(found.skill.name, script, { args: given.args, signal });
  if (!hasRun(outcome)) return outcome;
  const result = toScriptResult(outcome);
  const shown = (text: string): string => cutMiddle(text, MAX_STREAM_CHARACTERS);
  return { ...result, stdout: shown(result.stdout), stderr: shown(result.stderr) };
}

function readArguments(text: string): Outcome<{ readonly args: readonly string[] }> {
  if (!text.trimStart().startsWith('[')) return { ok: true, args: splitArguments(text) };
  const args = parseJson(text);
  if (Array.isArray(args) && args.every((argument) => typeof argument === 'string')) return { ok: true, args };
  return fail('CTX_INVALID', 'args begins with [ but is not a JSON array of strings', {
    advice: String.raw`Write args="[\"a b\", \"c\"]".`,
  });
}
