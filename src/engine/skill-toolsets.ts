import type { SkillLoader } from '../activate/loader.ts';
import type { CallOptions, RegisteredTool, ToolRegistry } from '../activate/toolsets/tool-registry.ts';
import type { ToolResult } from '../activate/toolsets/tool.ts';
import type { LoadedToolsets } from '../activate/toolsets/toolsets.ts';
import type { Catalog } from '../catalog/catalog.ts';
import type { LocatedSkill } from '../catalog/locate.ts';
import type { Outcome, OutcomeCode } from '../model/outcome.ts';
import type { Usage } from '../usage/usage.ts';
import type { SkillTrust } from './skill-trust.ts';

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

/** The tools that trusted skills bring. A toolset's code is loaded only when its tools are listed or called. */
export interface SkillToolsets {
  /** The tools of one skill, or of all enabled skills. Toolsets that fail to load are listed as failures. */
  list(name?: string): Promise<Outcome<ToolListing>>;
  /** Calls a tool of a skill. Wrong arguments and errors inside the tool are failures. */
  call(name: string, tool: string, call: ToolCall): Promise<Outcome<ToolResult>>;
  /** Stops every toolset that was started. */
  close(): Promise<void>;
}

export interface ToolCall extends Pick<CallOptions, 'signal' | 'timeoutMs'> {
  readonly args: unknown;
}

export interface ToolParts {
  readonly catalog: () => Catalog;
  readonly loader: SkillLoader;
  readonly trust: SkillTrust;
  readonly usage: Usage;
}

export function openSkillToolsets({ catalog, loader, trust, usage }: ToolParts): SkillToolsets {
  const opened: LoadedToolsets[] = [];
  const open = async (located: readonly LocatedSkill[]): Promise<ToolListing & { readonly registry: ToolRegistry }> => {
    const [{ loadToolsets }, registries] = await Promise.all([
      import('../activate/toolsets/toolsets.ts'),
      import('../activate/toolsets/tool-registry.ts'),
    ]);
    const registry = new registries.ToolRegistry();
    const failures: ToolFailure[] = [];
    for (const one of located) {
      const skill = one.skill.name;
      const loaded = await loadToolsets(one, { isTrusted: () => trust.judge(one.skill) });
      if (!loaded.ok) {
        failures.push({ skill, toolset: undefined, code: loaded.code, message: loaded.message });
        continue;
      }
      opened.push(loaded);
      for (const { reference, failure } of loaded.failures)
        failures.push({ skill, toolset: reference, code: failure.code, message: failure.message });
      for (const tool of loaded.tools) {
        const registered = registry.register(tool, { skill });
        if (!registered.ok)
          failures.push({ skill, toolset: undefined, code: registered.code, message: registered.message });
      }
    }
    return { registry, tools: registry.list(), failures };
  };
  return {
    async list(name) {
      const names = name === undefined ? namesWithToolsets(catalog()) : [name];
      const found = names.map((one) => loader.locate(one));
      const failure = found.find((one) => !one.ok);
      if (name !== undefined && failure !== undefined) return failure;
      const { tools, failures } = await open(found.filter((one) => one.ok));
      return { ok: true, tools, failures };
    },
    async call(name, tool, { args, ...options }) {
      const located = loader.locate(name);
      if (!located.ok) return located;
      const { registry, failures } = await open([located]);
      if (registry.get(tool) === undefined && failures[0] !== undefined) return { ok: false, ...failures[0] };
      const { name: skill, dir } = located.skill;
      const result = await registry.call(tool, args, { ...options, skill: { name: skill, dir } });
      const hasRun = result.ok || result.code === 'TOOLSET_FAILED';
      if (hasRun) await usage.record([{ skill, kind: 'ran', outcome: result.ok ? 'ok' : 'failed' }]);
      return result;
    },
    async close() {
      await Promise.all(opened.splice(0).map((toolsets) => toolsets.close()));
    },
  };
}

function namesWithToolsets({ skills }: Catalog): readonly string[] {
  return skills.filter(({ status, toolsets }) => status === 'enabled' && toolsets.length > 0).map(({ name }) => name);
}
