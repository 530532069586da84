/** The program of a toolset's thread: loads one toolset, then runs its tools. `toolsets.ts` asks it. */
import { pathToFileURL } from 'node:url';

import { explainThrown, isPlainObject } from '../../model/foreign-values.ts';
import { fail, type Outcome } from '../../model/outcome.ts';
import { loadModule } from '../../platform/process/load-module.ts';
import { answerRequests } from '../../platform/process/thread.ts';
import type { JsonSchema } from './tool-parameters.ts';
import type { Tool, ToolContext, ToolResult } from './tool.ts';
import { toolsOf } from './toolset-shape.ts';

export type ToolsetRequest = LoadRequest | CallRequest;

export interface LoadRequest {
  readonly kind: 'load';
  /** The real paths of the skill's directory and of the module in it. */
  readonly root: string;
  readonly file: string;
  readonly exportName: string;
  /** See `ModulePlace`. */
  readonly host: string | undefined;
  readonly isSealed: boolean;
}

export interface CallRequest {
  readonly kind: 'call';
  readonly tool: string;
  readonly args: unknown;
  readonly skill: ToolContext['skill'];
}

/** A tool as the thread describes it. */
export interface LoadedTool {
  readonly name: string;
  readonly description: string;
  readonly schema: JsonSchema;
}

interface LoadedTools {
  readonly tools: readonly LoadedTool[];
}

serveToolset();

function serveToolset(): void {
  let tools: readonly Tool[] = [];
  const serve = async (request: ToolsetRequest, signal: AbortSignal): Promise<Outcome<ToolResult | LoadedTools>> => {
    if (request.kind === 'call') return callTool(tools, request, signal);
    try {
      tools = await load(request);
      return { ok: true, tools: tools.map(describeTool) };
    } catch (error) {
      return fail('TOOLSET_FAILED', explain(error, request.root));
    }
  };
  // Only `toolsets.ts` sends requests, and it sends these. It expects JSON.
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion
  answerRequests(async (request, signal) => JSON.stringify(await serve(request as ToolsetRequest, signal)));
}

async function load({ file, exportName, ...place }: LoadRequest): Promise<readonly Tool[]> {
  const module = await loadModule(file, { ...place, own: ownModules() });
  const exported = findExport(module, exportName);
  if (exported === undefined) throw new TypeError(explainMissing(module, exportName));
  return toolsOf(exported);
}

/** In CommonJS modules and in objects exported as default, the names are one level deeper. */
function findExport(module: unknown, name: string): unknown {
  if (!isPlainObject(module)) return undefined;
  const standard = module['default'];
  return module[name] ?? (isPlainObject(standard) ? standard[name] : undefined);
}

function explainMissing(module: unknown, name: string): string {
  const names = isPlainObject(module) ? Object.keys(module).filter((key) => key !== 'module.exports') : [];
  const hint = names.length === 0 ? 'there are none' : `there are ${names.sort().join(', ')}`;
  return `it has no export "${name}"; ${hint}`;
}

function describeTool(tool: Tool): LoadedTool {
  const { name, description } = tool;
  const schema = tool.schema();
  if (schema['type'] !== 'object') throw new TypeError(`the parameters of the tool "${name}" are not an object`);
  return { name, description, schema };
}

async function callTool(
  tools: readonly Tool[],
  { tool: name, args, skill }: CallRequest,
  signal: AbortSignal,
): Promise<Outcome<ToolResult>> {
  const tool = tools.find((candidate) => candidate.name === name);
  return tool === undefined
    ? fail('TOOLSET_FAILED', `${name} is no longer in its toolset`)
    : tool.execute(args, { signal, skill });
}

/** The message with paths relative to the skill, and the first place in the skill that the error passed. */
function explain(error: unknown, root: string): string {
  const prefixes = [`${pathToFileURL(root).href}/`, `${root}/`];
  const inside = (text: string): string => prefixes.reduce((rest, prefix) => rest.replaceAll(prefix, ''), text);
  const message = inside(explainThrown(error)).replace(/ Require stack:.*$/, '');
  const frames = (error instanceof Error ? (error.stack ?? '') : '').split('\n').filter((line) => /^ +at /.test(line));
  const frame = frames.find((line) => prefixes.some((prefix) => line.includes(prefix))) ?? '';
  // Without the column, which changes when the types are stripped.
  const place = /([^\s(]+:\d+):\d+/.exec(inside(frame))?.[1];
  return place === undefined ? message : `${message} (${place})`;
}

/** Modules that toolsets import by name and that must be ours: from `src/`, or from `dist/` if that is running. */
function ownModules(): ReadonlyMap<string, string> {
  const isSource = import.meta.url.endsWith('.ts');
  const own = (name: string): string => new URL(isSource ? `../../${name}.ts` : `./${name}.js`, import.meta.url).href;
  const zod = ['zod', 'zod/v4', 'zod/v4/core', 'zod/v4/mini', 'zod/mini', 'zod/v3'];
  return new Map([
    ['skillplane', own('index')],
    ['skillplane/toolset', own('toolset')],
    ['@agent/tools', own('toolset')],
    ...zod.map((name) => [name, import.meta.resolve(name)] as const),
  ]);
}
