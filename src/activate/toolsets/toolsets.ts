import { join } from 'node:path';

import type { LocatedSkill } from '../../catalog/locate.ts';
import { parseJson } from '../../model/json.ts';
import { MAX_RESOURCE_BYTES } from '../../model/limits.ts';
import { fail, type Failure, type Outcome } from '../../model/outcome.ts';
import { resolveToolset } from '../../parse/named-files.ts';
import { realPath } from '../../platform/files/files.ts';
import { readInside } from '../../platform/files/inside.ts';
import { findHostProgram } from '../../platform/process/load-module.ts';
import { Thread } from '../../platform/process/thread.ts';
import { withDeadline } from './deadline.ts';
import { isPlainObject, type PlainObject } from './foreign-values.ts';
import { readArguments } from './tool-arguments.ts';
import type { Tool, ToolContext, ToolResult } from './tool.ts';
import type { CallRequest, LoadedTool, LoadRequest } from './toolset-thread.ts';

/** The default time limit for the import of a toolset. */
const LOAD_TIMEOUT_MS = 5_000;

export interface ToolsetPorts {
  /**
   * The folder from which a trusted skill runs; fails for any other skill. Called before toolsets are imported, and again
   * before one that ended is restarted.
   */
  readonly prepare: (located: LocatedSkill) => Outcome<Prepared> | Promise<Outcome<Prepared>>;
  readonly loadTimeoutMs?: number | undefined;
  /** Receives what toolsets print. By default it is dropped, because standard output is for answers. */
  readonly print?: ((text: string) => void) | undefined;
}

export interface Prepared {
  readonly runDir: string;
  /** Called when no thread runs from the folder any more. */
  readonly dispose: () => void;
}

/** Tools that can be called until they are closed. They do not keep the process alive. */
export interface Toolset {
  readonly tools: readonly Tool[];
  readonly close: () => Promise<void>;
}

export interface LoadedToolsets extends Toolset {
  /** Toolsets that could not be loaded; the others work. */
  readonly failures: readonly ToolsetFailure[];
}

export interface ToolsetFailure {
  readonly reference: string;
  readonly failure: Failure;
}

/** Imports all toolsets of a trusted skill. For any other skill it fails with `NOT_TRUSTED` and imports nothing. */
export async function loadToolsets(located: LocatedSkill, ports: ToolsetPorts): Promise<Outcome<LoadedToolsets>> {
  const { toolsets } = located.skill;
  if (toolsets.length === 0) return { ok: true, tools: [], failures: [], close: () => Promise.resolve() };
  const prepared = await ports.prepare(located);
  if (!prepared.ok) return prepared;
  // All of them run from one folder, which stays until all are closed.
  const shared = { ...prepared, dispose: () => undefined };
  const loaded = await Promise.all(
    [...new Set(toolsets)].map(async (reference) => ({
      reference,
      outcome: await openToolset({ ...located, reference }, shared, ports),
    })),
  );
  const ready = loaded.flatMap(({ outcome }) => (outcome.ok ? [outcome] : []));
  return {
    ok: true,
    tools: ready.flatMap(({ tools }) => tools),
    failures: loaded.flatMap(({ reference, outcome }) => (outcome.ok ? [] : [{ reference, failure: outcome }])),
    async close() {
      await Promise.all(ready.map((toolset) => toolset.close()));
      prepared.dispose();
    },
  };
}

/**
 * Imports one toolset of a trusted skill, by a reference such as `toolsets/index:HelloToolset`.
 *
 * The toolset runs in its own thread for good, because in ours an endless loop or an exit would end everything, at the
 * import or at any later call. The price is about 100 ms for the thread, and that arguments and results are plain data.
 */
export async function loadToolset(
  located: LocatedSkill,
  reference: string,
  ports: ToolsetPorts,
): Promise<Outcome<Toolset>> {
  const prepared = await ports.prepare(located);
  return prepared.ok ? openToolset({ ...located, reference }, prepared, ports) : prepared;
}

/** A toolset of a trusted skill. */
interface NamedToolset extends LocatedSkill {
  readonly reference: string;
}

async function openToolset(toolset: NamedToolset, prepared: Prepared, ports: ToolsetPorts): Promise<Outcome<Toolset>> {
  const runner = new ToolsetRunner(toolset, prepared, ports);
  const running = await runner.running;
  if (!running.ok) return running;
  return { ok: true, tools: running.tools.map((tool) => remoteTool(runner, tool)), close: () => runner.close() };
}

function remoteTool(runner: ToolsetRunner, { name, description, schema }: LoadedTool): Tool {
  return { name, description, schema: () => schema, execute: (args, context) => runner.call(name, args, context) };
}

interface Running extends Prepared {
  readonly thread: Thread;
  readonly tools: readonly LoadedTool[];
}

/** Runs a toolset in a thread and starts another when it has ended. A call that hangs affects only concurrent calls. */
class ToolsetRunner {
  readonly #toolset: NamedToolset;
  readonly #ports: ToolsetPorts;
  #running: Promise<Outcome<Running>>;
  #isClosed = false;

  constructor(toolset: NamedToolset, prepared: Prepared, ports: ToolsetPorts) {
    this.#toolset = toolset;
    this.#ports = ports;
    this.#running = this.#open(prepared);
  }

  get running(): Promise<Outcome<Running>> {
    return this.#running;
  }

  async call(tool: string, args: unknown, context: Partial<ToolContext> = {}): Promise<Outcome<ToolResult>> {
    const read = readArguments(args);
    if (!read.ok) return { ...read, message: `${tool}: ${read.message}` };
    const running = await this.#revive();
    if (!running.ok) return running;
    const { skill, realDir } = this.#toolset;
    const dir = running.runDir === realDir ? skill.dir : running.runDir;
    const request: CallRequest = { kind: 'call', tool, args: read.args, skill: { name: skill.name, dir } };
    const asked = await running.thread.ask(request, context.signal ?? new AbortController().signal);
    return asked.ok ? readResult(asked.answer) : { ...asked, message: `${tool} failed: ${asked.message}` };
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    const running = await this.#running;
    if (running.ok) await running.thread.close();
    if (running.ok) running.dispose();
  }

  async #revive(): Promise<Outcome<Running>> {
    if (this.#isClosed) return this.#failure('it was closed');
    const current = this.#running;
    const running = await current;
    if (running.ok && !running.thread.isOver) return running;
    // If several calls find it ended, the first restarts it.
    if (this.#running === current) {
      if (running.ok) running.dispose();
      this.#running = this.#openAgain();
    }
    return this.#running;
  }

  async #openAgain(): Promise<Outcome<Running>> {
    const prepared = await this.#ports.prepare(this.#toolset);
    return prepared.ok ? this.#open(prepared) : prepared;
  }

  async #open(prepared: Prepared): Promise<Outcome<Running>> {
    const opened = await this.#load(prepared.runDir);
    if (opened.ok) return { ...opened, ...prepared };
    prepared.dispose();
    return opened;
  }

  async #load(runDir: string): Promise<Outcome<Omit<Running, keyof Prepared>>> {
    const found = findModule(this.#toolset, runDir);
    if (!found.ok) return this.#failure(found.message, found.code);
    const thread = new Thread(THREAD_PROGRAM, { print: this.#ports.print });
    const timeoutMs = this.#ports.loadTimeoutMs ?? LOAD_TIMEOUT_MS;
    const asked = await withDeadline({ who: 'the import', timeoutMs }, (signal) => thread.ask(found.load, signal));
    const loaded = asked.ok ? readTools(asked.answer) : asked;
    if (loaded.ok && !this.#isClosed) return { ok: true, thread, tools: loaded.tools };
    await thread.close();
    return this.#failure(loaded.ok ? 'it was closed' : loaded.message);
  }

  #failure(why: string, code: Failure['code'] = 'TOOLSET_FAILED'): Failure {
    return fail(code, `toolset "${this.#toolset.reference}" of the skill "${this.#toolset.skill.name}": ${why}`);
  }
}

const THREAD_PROGRAM = new URL(
  import.meta.url.endsWith('.ts') ? './toolset-thread.ts' : './toolset-thread.js',
  import.meta.url,
);

/** Finds the module of a reference: a regular file whose real path is inside the skill. */
function findModule({ realDir, reference }: NamedToolset, runDir: string): Outcome<{ readonly load: LoadRequest }> {
  const found = resolveToolset(reference, (path) => readInside(runDir, path, { maxBytes: MAX_RESOURCE_BYTES }));
  const file = found.ok ? realPath(join(runDir, found.path)) : undefined;
  if (!found.ok) return found;
  if (file === undefined) return fail('TOOLSET_FAILED', `${found.path} is gone`);
  return {
    ok: true,
    load: {
      kind: 'load',
      root: runDir,
      file,
      exportName: found.exportName,
      host: findHostProgram(),
      isSealed: runDir !== realDir,
    },
  };
}

/** The thread runs the skill's code, so its answers are checked. */
function readTools(answer: unknown): Outcome<{ readonly tools: readonly LoadedTool[] }> {
  const { tools, message } = readAnswer(answer);
  return Array.isArray(tools) && tools.every(isLoadedTool) ? { ok: true, tools } : explainAnswer(message);
}

function isLoadedTool(value: unknown): value is LoadedTool {
  if (!isPlainObject(value)) return false;
  return (
    typeof value['name'] === 'string' && typeof value['description'] === 'string' && isPlainObject(value['schema'])
  );
}

function readResult(answer: unknown): Outcome<ToolResult> {
  const { title, metadata, output, message } = readAnswer(answer);
  const isResult = typeof title === 'string' && isPlainObject(metadata) && typeof output === 'string';
  return isResult ? { ok: true, title, metadata, output } : explainAnswer(message);
}

function readAnswer(answer: unknown): PlainObject {
  const value = typeof answer === 'string' ? parseJson(answer) : undefined;
  return isPlainObject(value) ? value : {};
}

function explainAnswer(message: unknown): Failure {
  return fail('TOOLSET_FAILED', typeof message === 'string' ? message : 'its thread gave an invalid answer');
}
