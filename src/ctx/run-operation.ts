import { explainToModel, hasRun, toScriptResult, type ScriptResult } from '../agent/script-result.ts';
import { splitArguments } from '../agent/slash-arguments.ts';
import { cutMiddle } from '../agent/text-page.ts';
import type { Skills } from '../engine/open-skills.ts';
import { fail, type Outcome } from '../model/outcome.ts';
import type { CtxFailure } from './answer.ts';
import { findTarget } from './find-target.ts';
import type { Statement } from './statement.ts';

/** Of each stream, in characters: what a model can still read. */
const MAX_STREAM_LENGTH = 20_000;

export interface HandleOptions {
  /** Ends a script that runs. */
  readonly signal?: AbortSignal | undefined;
}

/** `>s`: the arguments are words as in a shell, or a JSON array of texts. */
export async function runScript(
  skills: Skills,
  { target = '', pairs: { script = '', args = '' } }: Statement,
  { signal }: HandleOptions,
): Promise<ScriptResult | CtxFailure> {
  const found = findTarget(skills, target);
  if (!found.ok) return found;
  const given = readArguments(args);
  if (!given.ok) return given;
  const outcome = await skills.scripts.run(found.skill.name, script, { args: given.args, signal });
  if (!hasRun(outcome)) return explainToModel(outcome);
  if (outcome.outputs.length === 0) outcome.dispose();
  const result = toScriptResult(outcome);
  const shown = (text: string): string => cutMiddle(text, MAX_STREAM_LENGTH);
  return { ...result, stdout: shown(result.stdout), stderr: shown(result.stderr) };
}

function readArguments(text: string): Outcome<{ readonly args: readonly string[] }> {
  if (!text.trimStart().startsWith('[')) return { ok: true, args: splitArguments(text) };
  const args = parseJson(text);
  if (Array.isArray(args) && args.every((argument) => typeof argument === 'string')) return { ok: true, args };
  return fail(
    'CTX_INVALID',
    String.raw`args begins with [ and is no JSON array of texts; write args="[\"a b\", \"c\"]"`,
  );
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}
