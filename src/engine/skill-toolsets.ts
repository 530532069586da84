import type { SkillLoader } from '../activate/loader.ts';
import type { CallOptions, RegisteredTool, ToolRegistry } from '../activate/toolsets/tool-registry.ts';
import type { Tool, ToolResult } from '../activate/toolsets/tool.ts';
import type { ToolsetPool } from '../activate/toolsets/toolset-pool.ts';
import type { LoadedToolsets, Prepared } from '../activate/toolsets/toolsets.ts';
import type { Catalog } from '../catalog/catalog.ts';
import type { LocatedSkill } from '../catalog/locate.ts';
import type { Trust } from '../catalog/trust.ts';
import { fail, type Failure, type Outcome, type OutcomeCode } from '../model/outcome.ts';
import type { Usage } from '../usage/usage.ts';

/** Why a toolset, or a whole skill, provides no tools. */
export interface ToolFailure {
  readonly skill: string;
  /** The toolset as the skill names it; undefined if the skill may not load any. */
  readonly toolset: string | undefined;
  readonly code: OutcomeCode;
  readonly message: string;
}

export interface ToolListing {
  readonly tools: readonly RegisteredTool[];
  readonly failures: readonly ToolFailure[];
}

/**
 * The tools of trusted skills. A toolset is loaded when its tools are first listed or called, and stays loaded until
 * the skill's folder changes or its trust ends.
 */
export interface SkillToolsets {
  /**
   * The tools of one skill, or of all enabled skills. Toolsets that fail to load are listed as failures. A listed tool
   * always calls the current toolset, and fails if the skill is no longer trusted.
   */
  list(name?: string): Promise<Outcome<ToolListing>>;
  /** Calls a tool of a skill. Wrong arguments and errors inside the tool are failures. */
  call(name: string, tool: string, call: ToolCall): Promise<Outcome<ToolResult>>;
  /** Stops every toolset that was started. */
  close(): Promise<void>;
}

export interface ToolCall extends Pick<CallOptions, 'signal' | 'timeoutMs'> {
  readonly args: unknown;
  /** Did a person start it, and not a model? It counts as theirs in the history of use; false. */
  readonly byPerson?: boolean | undefined;
}

export interface ToolParts {
  readonly catalog: () => Catalog;
  readonly loader: SkillLoader;
  readonly usage: Usage;
  readonly pool: LazyPool;
}

/** The toolsets that are open, shared by all views of an engine. Opened when needed: most processes use no toolset. */
export interface LazyPool {
  readonly open: () => Promise<ToolsetPool>;
  readonly close: () => Promise<void>;
}

export function openPoolLater(trust: Trust): LazyPool {
  let opened: ToolsetPool | undefined;
  return {
    async open() {
      const [{ openToolsetPool }, { makeScratchFolder }, { temporaryFolder }] = await Promise.all([
        import('../activate/toolsets/toolset-pool.ts'),
        import('../platform/sandbox/scratch-folder.ts'),
        import('../platform/process/programs.ts'),
      ]);
      const prepare = (located: LocatedSkill): Outcome<Prepared> => {
        const scratch = makeScratchFolder(temporaryFolder());
        if (!scratch.ok) return scratch;
        const prepared = trust.prepare(located, scratch.skillDir);
        if (!prepared.ok) scratch.dispose();
        return prepared.ok ? { ...prepared, dispose: scratch.dispose } : prepared;
      };
      return (opened ??= openToolsetPool({ judge: (skill) => trust.judge(skill), prepare }));
    },
    close: async () => opened?.close(),
  };
}

export function openSkillToolsets({ catalog, loader, usage, pool: shared }: ToolParts): SkillToolsets {
  const openRegistry = async (): Promise<ToolRegistry> =>
    new (await import('../activate/toolsets/tool-registry.ts')).ToolRegistry();
  return {
    async list(name) {
      const names = name === undefined ? namesWithToolsets(catalog()) : [name];
      const found = names.map((one) => loader.locate(one));
      const failure = found.find((one) => !one.ok);
      if (name !== undefined && failure !== undefined) return failure;
      const [pool, registry] = await Promise.all([shared.open(), openRegistry()]);
      const failures: ToolFailure[] = [];
      for (const located of found.filter((one) => one.ok)) {
        const skill = located.skill.name;
        const loaded = await pool.use(located, undefined, (now) => Promise.resolve(now));
        if ('tools' in loaded) {
          const tools = loaded.tools.map((tool): Tool => ({
            ...tool,
            async execute(args, context) {
              const now = loader.locate(skill);
              return now.ok ? record(usage, { skill }, await callListed(tool.name, pool, now, args, context)) : now;
            },
          }));
          failures.push(...register(registry, skill, { ...loaded, tools }));
        } else failures.push(describeFailure(loaded, skill));
      }
      return { ok: true, tools: registry.list(), failures };
    },
    async call(name, tool, { args, byPerson, ...options }) {
      const located = loader.locate(name);
      if (!located.ok) return located;
      const { name: skill, dir } = located.skill;
      const [pool, registry] = await Promise.all([shared.open(), openRegistry()]);
      return pool.use<Outcome<ToolResult>>(located, tool, async (now) => {
        const [failure] = register(registry, skill, now);
        if (registry.get(tool) === undefined && failure !== undefined) return { ok: false, ...failure };
        const result = await registry.call(tool, args, { ...options, skill: { name: skill, dir } });
        return record(usage, { skill, byPerson }, result);
      });
    },
    close: () => shared.close(),
  };
}

/** Calls a tool that may have been listed long before its thread was replaced. */
function callListed(
  tool: string,
  pool: ToolsetPool,
  located: LocatedSkill,
  ...call: Parameters<Tool['execute']>
): Promise<Outcome<ToolResult>> {
  return pool.use<Outcome<ToolResult>>(located, tool, async ({ tools }) => {
    const now = tools.find(({ name }) => name === tool);
    return now?.execute(...call) ?? fail('TOOLSET_FAILED', `${tool} is no longer in its toolset`);
  });
}

/** Notes that a tool of the skill ran, unless it was refused before it began. */
async function record(
  usage: Usage,
  { skill, byPerson = false }: { readonly skill: string } & Pick<ToolCall, 'byPerson'>,
  result: Outcome<ToolResult>,
): Promise<Outcome<ToolResult>> {
  const hasRun = result.ok || result.code === 'TOOLSET_FAILED';
  if (hasRun) await usage.record([{ skill, kind: byPerson ? 'invoked' : 'ran', outcome: result.ok ? 'ok' : 'failed' }]);
  return result;
}

/** Adds the tools of a skill; returns why some are missing. */
function register(
  registry: ToolRegistry,
  skill: string,
  { tools, failures }: Pick<LoadedToolsets, 'tools' | 'failures'>,
): readonly ToolFailure[] {
  const unloaded = failures.map(({ reference, failure }) => describeFailure(failure, skill, reference));
  const refused = tools.flatMap((tool) => {
    const registered = registry.register(tool, { skill });
    return registered.ok ? [] : [describeFailure(registered, skill)];
  });
  return [...unloaded, ...refused];
}

function describeFailure({ code, message }: Failure, skill: string, toolset?: string): ToolFailure {
  return { skill, toolset, code, message };
}

function namesWithToolsets({ skills }: Catalog): readonly string[] {
  return skills.filter(({ status, toolsets }) => status === 'enabled' && toolsets.length > 0).map(({ name }) => name);
}
