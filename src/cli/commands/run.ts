import { hasRun, toScriptResult } from '../../agent.ts';
import type { ScriptOutcome, ScriptRun } from '../../index.ts';
import { parseTimeout, TIMEOUT_FORMS } from '../../model/duration.ts';
import type { ExitCode, Invocation } from '../command.ts';
import { listenForInterrupt } from '../input/interrupt.ts';
import { openEngine } from '../open-engine.ts';
import { reportFailure } from '../output/failure.ts';
import type { Output } from '../output/output.ts';
import { printVerbatim } from '../output/verbatim.ts';

export async function run(invocation: Invocation): Promise<ExitCode> {
  const { args, options, isJson, out } = invocation;
  const [name = '', script = '', ...rest] = args;
  const timeoutMs = options.parsed('timeout', parseTimeout, TIMEOUT_FORMS);
  await using engine = await openEngine(invocation);
  using interrupt = listenForInterrupt();
  const outcome = await engine.scripts.run(name, script, {
    args: rest,
    network: options.has('network'),
    signal: interrupt.signal,
    timeoutMs,
    onOutput: isJson ? undefined : (stream, text) => printVerbatim(text, stream),
  });
  if (!hasRun(outcome)) return reportFailure(invocation, outcome);
  if (isJson) out.json(toScriptResult(outcome));
  else printEnd(outcome, out);
  if (outcome.outputs.length === 0) outcome.dispose();
  return exitCodeOf(outcome);
}

const TIMED_OUT = 124;
const SIGNALLED = 128;

function exitCodeOf({ ended, exitCode }: ScriptRun): ExitCode {
  if (ended === 'timeout') return TIMED_OUT;
  if (ended === 'exited') return exitCode ?? SIGNALLED;
  return 1;
}

/** Adds what the script's own output does not tell: isolation, why it was stopped, and the files it made. */
function printEnd(outcome: ScriptOutcome & ScriptRun, out: Output): void {
  const { isolation, notes, ended, outputs, outputDir } = outcome;
  if (isolation !== 'bwrap') out.note({ text: `isolation: ${[isolation, ...notes].join('; ')}`, style: 'dim' });
  if (!outcome.ok && ended !== 'exited') out.note({ text: 'skillplane: ', style: 'red' }, outcome.message);
  for (const { path, size } of outputs) out.note(`${outputDir}/${path} (${size} bytes)`);
}
