import { hasRun, toScriptResult } from '../../agent.ts';
import { openSkills, type ScriptOutcome, type ScriptRun } from '../../index.ts';
import { reportFailure, reportUsage, type ExitCode, type Invocation } from '../command.ts';
import { reportConfigTrouble } from '../diagnostics.ts';
import { listenForInterrupt } from '../interrupt.ts';
import type { Output } from '../output.ts';
import { printVerbatim } from '../verbatim.ts';

export async function run(invocation: Invocation): Promise<ExitCode> {
  const { args, values, flags, cwd, isJson, out } = invocation;
  const [name = '', script = '', ...rest] = args;
  const timeout = values.get('timeout')?.at(-1);
  if (timeout !== undefined && !/^[1-9]\d{0,9}$/.test(timeout))
    return reportUsage(invocation, `--timeout takes milliseconds, not "${timeout}"`);
  await using engine = await openSkills({ cwd });
  reportConfigTrouble(engine.catalog().diagnostics, out);
  using interrupt = listenForInterrupt();
  const outcome = await engine.scripts.run(name, script, {
    args: rest,
    network: flags.has('network'),
    signal: interrupt.signal,
    timeoutMs: timeout === undefined ? undefined : Number(timeout),
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

/** What the script itself did not say. */
function printEnd(outcome: ScriptOutcome & ScriptRun, out: Output): void {
  const { isolation, notes, ended, outputs, outputDir } = outcome;
  if (isolation !== 'bwrap') out.note({ text: `isolation: ${[isolation, ...notes].join('; ')}`, style: 'dim' });
  if (!outcome.ok && ended !== 'exited') out.note({ text: 'skillplane: ', style: 'red' }, outcome.message);
  for (const { path, size } of outputs) out.note(`${outputDir}/${path} (${size} bytes)`);
}
