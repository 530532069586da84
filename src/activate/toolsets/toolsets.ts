import { join } from 'node:path';
import { pathToFileURL } from 'node:url';

import type { LocatedSkill } from '../../catalog/locate.ts';
import { isPlainObject, type PlainObject } from '../../model/foreign-values.ts';
import { parseJson } from '../../model/json.ts';
import { MAX_RESOURCE_BYTES } from '../../model/limits.ts';
import { fail, type Failure, type Outcome } from '../../model/outcome.ts';
import { resolveToolset } from '../../parse/named-files.ts';
import { withDeadline } from '../../platform/deadline.ts';
import { realPath } from '../../platform/files/files.ts';
import { readInside } from '../../platform/files/inside.ts';
import { INSTALL_BESIDE, ownProgram } from '../../platform/package-file.ts';
import { findHostProgram } from '../../platform/process/programs.ts';
import { Thread } from '../../platform/process/thread.ts';
import { readArguments } from './tool-arguments.ts';
import type { Tool, ToolResult } from './tool.ts';
import type { CallRequest, LoadedTool, LoadRequest } from './toolset-thread.ts';

/** The default time limit for the import of a toolset. */
const LOAD_TIMEOUT_MS = 5_000;

export interface ToolsetPorts {
  /** The folder from which a trusted skill runs; fails for any other skill. Called before toolsets are imported. */
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

/** Tools that can be called until their thread ends or they are closed. They do not keep the process alive. */
export interface LoadedToolsets {
  readonly tools: readonly Tool[];
  /** Toolsets that could not be loaded; the others work. */
  readonly failures: readonly ToolsetFailure[];
  /** Has a thread ended, because a tool hung, exited or used up its memory? Its tools then fail. */
  readonly isOver: () => boolean;
  readonly close: () => Promise<void>;
}

export interface ToolsetFailure {
  readonly reference: string;
  readonly failure: Failure;
}

/**
 * Imports all toolsets of a trusted skill. For any other skill it fails with `NOT_TRUSTED` and imports nothing.
 *
 * Each toolset runs in its own thread for good, because in ours an endless loop or an exit would end everything, at the
 * import or at any later call. The price is about 100 ms for the thread, and that arguments and results are plain data.
 */
export async function loadToolsets(located: LocatedSkill, ports: ToolsetPorts): Promise<Outcome<LoadedToolsets>> {
  const { toolsets } = located.skill;
  if (toolsets.length === 0)
    return { ok: true, tools: [], failures: [], isOver: () => false, close: () => Promise.resolve() };
  const prepared = await ports.prepare(located);
  if (!prepared.ok) return prepared;
  const loaded = await Promise.all(
    [...new Set(toolsets)].map(async (reference) => ({
      reference,
      outcome: await openToolset({ ...located, reference, runDir: prepared.runDir }, ports),
    })),
  );
  const ready = loaded.flatMap(({ outcome }) => (outcome.ok ? [outcome] : []));
  return {
    ok: true,
    tools: ready.flatMap(({ tools }) => tools),
    failures: loaded.flatMap(({ reference, outcome }) => (outcome.ok ? [] : [{ reference, failure: outcome }])),
    isOver: () => ready.some(({ thread }) => thread.isOver),
    async close() {
      await Promise.all(ready.map(({ thread }) => thread.close()));
      prepared.dispose();
    },
  };
}

/** A toolset of a trusted skill, by a reference such as `toolsets/index:HelloToolset`. */
interface NamedToolset extends LocatedSkill {
  readonly reference: string;
  readonly runDir: string;
}

async function openToolset(
  toolset: NamedToolset,
  { print, loadTimeoutMs: timeoutMs = LOAD_TIMEOUT_MS }: ToolsetPorts,
): Promise<Outcome<{ readonly thread: Thread; readonly tools: readonly Tool[] }>> {
  const { skill, reference } = toolset;
  const who = `toolset "${reference}" of the skill "${skill.name}"`;
  const found = findModule(toolset);
  if (!found.ok) return fail(found.code, `${who}: ${found.message}`);
  const program = ownProgram('activate/toolsets/toolset-thread');
  if (program === undefined)
    return fail(
      'TOOLSET_FAILED',
      `${who}: toolsets run in a file of the package, which this bundle lacks. ${INSTALL_BESIDE}`,
    );
  const thread = new Thread(pathToFileURL(program), { print });
  const asked = await withDeadline({ who: 'the import', timeoutMs }, (signal) => thread.ask(found.load, signal));
  const loaded = asked.ok ? readTools(asked.answer) : asked;
  if (loaded.ok) return { ok: true, thread, tools: loaded.tools.map((tool) => remoteTool(thread, toolset, tool)) };
  await thread.close();
  return fail('TOOLSET_FAILED', `${who}: ${loaded.message}`);
}

function remoteTool(
  thread: Thread,
  { skill, realDir, runDir }: NamedToolset,
  { name, description, schema }: LoadedTool,
): Tool {
  return {
    name,
    description,
    schema: () => schema,
    async execute(args, { signal = new AbortController().signal } = {}) {
      const read = readArguments(args);
      if (!read.ok) return { ...read, message: `${name}: ${read.message}` };
      const dir = runDir === realDir ? skill.dir : runDir;
      const request: CallRequest = { kind: 'call', tool: name, args: read.args, skill: { name: skill.name, dir } };
      const asked = await thread.ask(request, signal);
      return asked.ok ? readResult(asked.answer) : { ...asked, message: `${name} failed: ${asked.message}` };
    },
  };
}

/** Finds the module of a reference: a regular file whose real path is inside the skill. */
function findModule({ realDir, reference, runDir }: NamedToolset): Outcome<{ readonly load: LoadRequest }> {
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
