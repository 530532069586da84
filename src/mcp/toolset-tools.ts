import type { RegisteredTool } from '../activate/toolsets/tool-registry.ts';
import type { Tool } from '../activate/toolsets/tool.ts';
import type { AgentTool, ToolAnnotations } from '../agent/agent-tool.ts';
import { visibleSkills } from '../agent/visible-skills.ts';
import type { Skills } from '../engine/open-skills.ts';
import type { Skill } from '../model/skill.ts';

/** A tool as the server lists it. The title and output schema of a tool that a skill brings are unknown. */
export type ServedTool = Tool & Pick<AgentTool, 'annotations'> & Partial<Pick<AgentTool, 'title' | 'outputSchema'>>;

/** The tools that trusted skills bring. Their code is loaded once, and again after such a skill changed. */
export interface ToolsetTools {
  list(): Promise<readonly ServedTool[]>;
  /**
   * Call this when skills changed. If one of them brings tools, or did, all toolsets are loaded again, after the running
   * calls have ended.
   */
  reload(changed: readonly Skill[]): void;
}

export interface ToolsetOptions {
  /** Names that are taken. */
  readonly reserved: readonly string[];
  /** Called for each toolset that cannot be loaded, with the reason. */
  readonly onTrouble: (message: string) => void;
}

export function openToolsetTools(skills: Skills, { reserved, onTrouble }: ToolsetOptions): ToolsetTools {
  let loaded: Promise<readonly ServedTool[]> | undefined;
  let closed: Promise<void> = Promise.resolve();
  const running = new Set<Promise<unknown>>();
  const bringing = new Set<string>();

  const load = async (): Promise<readonly ServedTool[]> => {
    const listed = await skills.toolsets.list();
    if (!listed.ok) return [];
    for (const { skill, message } of listed.failures) onTrouble(`${skill}: ${message}`);
    for (const { skill } of [...listed.tools, ...listed.failures]) if (skill !== undefined) bringing.add(skill);
    const visible = new Map(visibleSkills(skills).map(({ name, dir }) => [name, dir]));
    const taken = new Set(reserved);
    return listed.tools.flatMap((tool) => {
      const dir = tool.skill === undefined ? undefined : visible.get(tool.skill);
      if (tool.skill === undefined || dir === undefined) return [];
      const name = taken.has(tool.name) ? `${tool.skill}_${tool.name}`.replaceAll(/[^\w-]/g, '_') : tool.name;
      taken.add(name);
      return [present(tool, { name, skill: { name: tool.skill, dir } })];
    });
  };
  const present = (tool: RegisteredTool, { name, skill }: Presentation): ServedTool => ({
    name,
    description: `${tool.description} (from the skill "${skill.name}")`,
    annotations: UNKNOWN_EFFECTS,
    schema: () => tool.schema(),
    async execute(args, { signal } = {}) {
      const call = tool.execute(args, { skill, ...(signal === undefined ? {} : { signal }) });
      running.add(call);
      const result = await call.finally(() => running.delete(call));
      await skills.usage.record([{ skill: skill.name, kind: 'ran', outcome: result.ok ? 'ok' : 'failed' }]);
      return result;
    },
  });

  return {
    list: () => (loaded ??= closed.then(load)),
    reload(changed) {
      const isConcerned = changed.some(({ name, toolsets }) => toolsets.length > 0 || bringing.has(name));
      if (loaded === undefined || !isConcerned) return;
      closed = loaded.then(() => Promise.allSettled(running)).then(() => skills.toolsets.close());
      loaded = undefined;
    },
  };
}

/** The effects of a skill's tool are unknown, so these hints assume the worst. */
const UNKNOWN_EFFECTS: ToolAnnotations = {
  readOnlyHint: false,
  destructiveHint: true,
  idempotentHint: false,
  openWorldHint: true,
};

interface Presentation {
  readonly name: string;
  readonly skill: { readonly name: string; readonly dir: string };
}
