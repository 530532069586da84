import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import type { Readable } from 'node:stream';

import { hasRun, toScriptResult } from '../../agent/script-result.ts';
import type { Skills } from '../../engine/open-skills.ts';
import { parseTimeout, TIMEOUT_FORMS } from '../../model/duration.ts';
import { parseJson } from '../../model/json.ts';
import type { Outcome } from '../../model/outcome.ts';
import type { ScriptOutcome, ScriptRun } from '../../platform/sandbox/run-sandboxed.ts';
import type { ExitCode, Invocation } from '../command.ts';
import { canAsk, openQuestions } from '../input/ask.ts';
import { listenForInterrupt } from '../input/interrupt.ts';
import type { Io } from '../io.ts';
import { openEngine } from '../open-engine.ts';
import { reportFailure } from '../output/failure.ts';

export async function run(invocation: Invocation): Promise<ExitCode> {
  const { args, options, cwd, io, isJson, out } = invocation;
  const [name, script, ...rest] = args;
  if (name === undefined) return (await import('./tools.ts')).run(invocation);
  const given = options.parsed('args', parseJson, 'a JSON object such as {"name": "Ann"}');
  const timeoutMs = options.parsed('timeout', parseTimeout, TIMEOUT_FORMS);
  await using engine = await openEngine(invocation);
  if (script === undefined) return await listRunnable(engine, name, invocation);
  if (given !== undefined || (await isTool(engine, name, script)))
    return await callTool(engine, invocation, given ?? {});
  using interrupt = listenForInterrupt(io);
  using piped = openPipedInput(io);
  const hosts = options.all('host');
  const outcome = await engine.scripts.run(name, script, {
    args: rest,
    byPerson: canAsk(invocation),
    inputs: [...options.all('input'), ...(await askForInputs(engine, rest, invocation))],
    workspace: options.text('workspace'),
    env: options.all('env'),
    input: piped.stream,
    network: options.has('network') || (hosts.length > 0 && hosts),
    signal: interrupt.signal,
    timeoutMs,
    onOutput: isJson ? undefined : (stream, text) => out.verbatim(text, stream),
  });
  if (!hasRun(outcome)) return reportFailure(invocation, outcome);
  const dir = options.text('output');
  const taken = takeFiles(outcome, {
    dir: dir === undefined ? undefined : resolve(cwd, dir),
    isInWorkspace: options.has('workspace'),
  });
  if (!taken.ok) return reportFailure(invocation, taken);
  const { ok: _, ...end } = taken;
  if (isJson) out.json({ ...toScriptResult(outcome), ...(outcome.files.length === 0 ? {} : end) });
  else printEnd({ ...outcome, ...end }, invocation);
  return exitCodeOf(outcome);
}

/** Files here that arguments name and that the script would not see; asked for, if there is a person to ask. */
async function askForInputs(
  { scripts }: Skills,
  args: readonly string[],
  invocation: Invocation,
): Promise<readonly string[]> {
  const { options } = invocation;
  const isSure = options.has('yes');
  if (options.has('workspace') || !(isSure || canAsk(invocation))) return [];
  const names = await scripts.findUngiven(args, options.all('input'));
  if (isSure) return names;
  const questions = names.length === 0 ? undefined : openQuestions(invocation);
  const given: string[] = [];
  for (const name of names)
    if (await questions?.confirm(`Give ${name} to the script? (--input ${name})`)) given.push(name);
  return given;
}

/** Lists scripts and tools of a skill. Tools are read only of a trusted skill: that runs its code. */
async function listRunnable(engine: Skills, name: string, invocation: Invocation): Promise<ExitCode> {
  const { isJson, out } = invocation;
  const inspected = await engine.trust.inspect(name);
  if (!inspected.ok) return reportFailure(invocation, inspected);
  const { scripts, skill } = inspected;
  const listed = skill.toolsets.length === 0 ? undefined : await engine.toolsets.list(name);
  const tools = listed?.ok === true ? listed.tools : [];
  const failures = listed === undefined ? [] : listed.ok ? listed.failures : [listed];
  if (isJson) {
    const shown = tools.map(({ name: tool, description, schema }) => ({ name: tool, description, schema: schema() }));
    out.json({ ok: true, name: skill.name, scripts, tools: shown, failures });
    return 0;
  }
  for (const script of scripts) out.line(script);
  for (const { name: tool, description } of tools)
    out.line(tool, { text: `  ${description.split('\n', 1)[0] ?? ''}`, style: 'dim' });
  if (scripts.length + tools.length + failures.length === 0) out.note(`${skill.name} has no scripts or tools.`);
  for (const { message } of failures) out.note({ text: 'warning: ', style: 'yellow' }, message);
  return 0;
}

/** A script wins over a tool of the same name, and only a trusted skill has tools. */
async function isTool(engine: Skills, name: string, wanted: string): Promise<boolean> {
  const inspected = await engine.trust.inspect(name);
  if (!inspected.ok || inspected.skill.toolsets.length === 0) return false;
  const base = (path: string): string => path.slice(path.lastIndexOf('/') + 1);
  if (inspected.scripts.some((script) => script === wanted || base(script) === base(wanted))) return false;
  const listed = await engine.toolsets.list(name);
  return listed.ok && listed.tools.some((tool) => tool.name === wanted);
}

async function callTool(engine: Skills, invocation: Invocation, given: unknown): Promise<ExitCode> {
  const {
    args: [name = '', tool = ''],
    isJson,
    out,
  } = invocation;
  const result = await engine.toolsets.call(name, tool, { args: given, byPerson: canAsk(invocation) });
  if (!result.ok) return reportFailure(invocation, result);
  if (isJson) out.json(result);
  else out.file(result.output.endsWith('\n') ? result.output : `${result.output}\n`);
  return 0;
}

/** Our stdin, unless a person sits at it. It is left alone afterwards, whether it has ended or not. */
function openPipedInput({ stdin }: Io): Disposable & { readonly stream: Readable | undefined } {
  if (stdin.isTTY) return { stream: undefined, [Symbol.dispose]: () => undefined };
  return { stream: stdin, [Symbol.dispose]: () => void stdin.destroy() };
}

interface Destination {
  readonly dir: string | undefined;
  readonly isInWorkspace: boolean;
}

/** Saves a run's files to the given folder, or to a new temporary one; returns the folder. */
function takeFiles(run: ScriptRun, { dir, isInWorkspace }: Destination): Outcome<{ readonly outputDir: string }> {
  const { files, outputDir } = run;
  if (files.length === 0 || (dir === undefined && isInWorkspace)) return { ok: true, outputDir };
  const saved = dir === undefined ? undefined : run.saveTo(dir);
  if (dir !== undefined && saved?.ok === true) return { ok: true, outputDir: dir };
  const other = mkdtempSync(join(tmpdir(), 'skillplane-files-'));
  const kept = run.saveTo(other);
  if (!kept.ok) return kept;
  return saved?.ok === false
    ? { ...saved, message: `${saved.message}; the files are in ${other}` }
    : { ok: true, outputDir: other };
}

const TIMED_OUT = 124;
const SIGNALLED = 128;

function exitCodeOf({ ended, exitCode }: ScriptRun): ExitCode {
  if (ended === 'timeout') return TIMED_OUT;
  if (ended === 'exited') return exitCode ?? SIGNALLED;
  return 1;
}

/** Prints what the script's output does not show: isolation, why it was stopped, and its files. */
function printEnd(outcome: ScriptOutcome & ScriptRun, { out, sayNext }: Invocation): void {
  const { isolation, notes, warnings, ended, files, outputDir } = outcome;
  if (notes.length > 0) out.note({ text: `isolation: ${[isolation, ...notes].join('; ')}`, style: 'dim' });
  if (!outcome.ok && (ended !== 'exited' || outcome.next !== undefined)) {
    out.error({ text: 'skillplane: ', style: 'red' }, outcome.message);
    if (outcome.next !== undefined) out.error(sayNext(outcome.next));
  }
  for (const warning of warnings) out.note(warning);
  for (const { path, size } of files) out.note(`${outputDir}/${path} (${size} bytes)`);
}
