import { fail, type Failure } from '../model/outcome.ts';
import type { ScriptOutcome, ScriptRun } from '../platform/sandbox/run-sandboxed.ts';

/** Was the script started? Then there is what it said and how it ended, whatever came of it. */
export function hasRun(outcome: ScriptOutcome): outcome is ScriptOutcome & ScriptRun {
  return 'exitCode' in outcome;
}

/** What came of a script that was started, as JSON can carry it. */
export type ScriptResult = ({ readonly ok: true } | Failure) &
  Omit<ScriptRun, 'ended' | 'dispose' | 'outputDir'> & {
    /** Where there are outputs: their folder. */
    readonly outputDir?: string;
  };

export function toScriptResult(outcome: ScriptOutcome & ScriptRun): ScriptResult {
  const { ended: _, dispose: __, outputDir, ...result } = outcome;
  return outcome.outputs.length === 0 ? result : { ...result, outputDir };
}

/** Why a model's script did not run. The model could follow the advice to trust a skill by itself. */
export function explainToModel({ code, message }: Failure): Failure {
  if (code !== 'NOT_TRUSTED') return fail(code, message);
  return fail(code, `${message} (only the user may do this: tell them, and do not do it yourself)`);
}
