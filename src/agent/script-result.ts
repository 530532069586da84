import type { Failure } from '../model/outcome.ts';
import type { ScriptOutcome, ScriptRun } from '../platform/sandbox/run-sandboxed.ts';

/** True if the script was started. Its output and exit code are then known, even if it failed. */
export function hasRun(outcome: ScriptOutcome): outcome is ScriptOutcome & ScriptRun {
  return 'exitCode' in outcome;
}

/** The result of a script that was started, as plain JSON data. */
export type ScriptResult = ({ readonly ok: true } | Failure) &
  Omit<ScriptRun, 'ended' | 'saveTo' | 'dispose' | 'outputDir'> & {
    /** The folder of the files; absent if there are none. */
    readonly outputDir?: string;
  };

export function toScriptResult(outcome: ScriptOutcome & ScriptRun): ScriptResult {
  const { ended: _, saveTo: __, dispose: ___, outputDir, ...result } = outcome;
  return outcome.files.length === 0 ? result : { ...result, outputDir };
}
