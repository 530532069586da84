import { resolve } from 'node:path';
import type { Readable } from 'node:stream';

import { hasRun, toScriptResult } from '../../agent.ts';
import type { ScriptOutcome, ScriptRun, Skills } from '../../index.ts';
import { parseTimeout, TIMEOUT_FORMS } from '../../model/duration.ts';
import type { Outcome } from '../../model/outcome.ts';
import type { ExitCode, Invocation } from '../command.ts';
import { listenForInterrupt } from '../input/interrupt.ts';
import type { Io } from '../io.ts';
import { openEngine } from '../open-engine.ts';
import { reportFailure } from '../output/failure.ts';

export async function run(invocation: Invocation): Promise<ExitCode> {
  const { args, options, cwd, io, isJson, out } = invocation;
  const [name = '', script, ...rest] = args;
  const timeoutMs = options.parsed('timeout', parseTimeout, TIMEOUT_FORMS);
  await using engine = await openEngine(invocation);
  if (script === undefined) return await listScripts(engine, name, invocation);
  using interrupt = listenForInterrupt(io);
  using piped = openPipedInput(io);
  const outcome = await engine.scripts.run(name, script, {
    args: rest,
    inputs: options.all('input'),
    input: piped.stream,
    network: options.has('network'),
    signal: interrupt.signal,
    timeoutMs,
    onOutput: isJson ? undefined : (stream, text) => out.verbatim(text, stream),
  });
  if (!hasRun(outcome)) return reportFailure(invocation, outcome);
  const dir = options.text('output');
  const taken = takeOutputs(outcome, dir === undefined ? undefined : resolve(cwd, dir));
  if (!taken.ok) return reportFailure(invocation, taken);
  const { ok: _, ...end } = taken;
  if (isJson) out.json({ ...toScriptResult(outcome), ...(outcome.outputs.length === 0 ? {} : end) });
  else printEnd({ ...outcome, ...end }, invocation);
  return exitCodeOf(outcome);
}

async function listScripts(engine: Skills, name: string, invocation: Invocation): Promise<ExitCode> {
  const { isJson, out } = invocation;
  const inspected = await engine.trust.inspect(name);
  if (!inspected.ok) return reportFailure(invocation, inspected);
  const { scripts } = inspected;
  if (isJson) out.json({ ok: true, name: inspected.skill.name, scripts });
  else for (const script of scripts) out.line(script);
  if (scripts.length === 0) out.note(`${inspected.skill.name} has no scripts.`);
  return 0;
}

/** Our stdin, unless a person sits at it. It is left alone afterwards, whether it has ended or not. */
function openPipedInput({ stdin }: Io): Disposable & { readonly stream: Readable | undefined } {
  if (stdin.isTTY) return { stream: undefined, [Symbol.dispose]: () => undefined };
  return { stream: stdin, [Symbol.dispose]: () => void stdin.destroy() };
}

/** Moves the files of a run to the folder that the caller chose, if any; says where they are. */
function takeOutputs(run: ScriptRun, dir: string | undefined): Outcome<{ readonly outputDir: string }> {
  const saved = dir === undefined || run.outputs.length === 0 ? undefined : run.save(dir);
  if (saved?.ok === false) return { ...saved, message: `${saved.message}; the files are still in ${run.outputDir}` };
  if (saved !== undefined || run.outputs.length === 0) run.dispose();
  return { ok: true, outputDir: dir ?? run.outputDir };
}

const TIMED_OUT = 124;
const SIGNALLED = 128;

function exitCodeOf({ ended, exitCode }: ScriptRun): ExitCode {
  if (ended === 'timeout') return TIMED_OUT;
  if (ended === 'exited') return exitCode ?? SIGNALLED;
  return 1;
}

/** Adds what the script's own output does not tell: isolation, why it was stopped, and the files it made. */
function printEnd(outcome: ScriptOutcome & ScriptRun, { out, renderHint }: Invocation): void {
  const { isolation, notes, ended, outputs, outputDir } = outcome;
  if (notes.length > 0) out.note({ text: `isolation: ${[isolation, ...notes].join('; ')}`, style: 'dim' });
  if (!outcome.ok && (ended !== 'exited' || outcome.hint !== undefined)) {
    out.error({ text: 'skillplane: ', style: 'red' }, outcome.message);
    if (outcome.hint !== undefined) out.error(renderHint(outcome.hint));
  }
  for (const { path, size } of outputs) out.note(`${outputDir}/${path} (${size} bytes)`);
}
