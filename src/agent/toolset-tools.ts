import { toSafeName } from '../activate/toolsets/tool-names.ts';
import type { RegisteredTool } from '../activate/toolsets/tool-registry.ts';
import type { Tool } from '../activate/toolsets/tool.ts';
import type { Skills } from '../engine/open-skills.ts';
import type { ToolFailure } from '../engine/skill-toolsets.ts';
import type { AgentTool, ToolAnnotations } from './agent-tool.ts';
import { visibleSkills } from './visible-skills.ts';

/** A tool for an agent. Tools from skills have no title and no output schema. */
export type OfferedTool = Tool & Pick<AgentTool, 'annotations'> & Partial<Pick<AgentTool, 'title' | 'outputSchema'>>;

/** A tool from a skill, for an agent. */
export interface SkillTool extends OfferedTool {
  readonly skill: string;
}

export interface ToolsetTools {
  readonly tools: readonly SkillTool[];
  /** Why others are missing. */
  readonly failures: readonly ToolFailure[];
}

/** The tools of trusted skills that a model may see. One whose name is among `reserved` has the name of its skill before it. */
export async function listToolsetTools(skills: Skills, reserved: readonly string[]): Promise<ToolsetTools> {
  const listed = await skills.toolsets.list();
  if (!listed.ok) return { tools: [], failures: [] };
  const visible = new Map(visibleSkills(skills).map(({ name, dir }) => [name, dir]));
  const taken = new Set(reserved);
  const tools = listed.tools.flatMap((tool) => {
    const dir = tool.skill === undefined ? undefined : visible.get(tool.skill);
    if (tool.skill === undefined || dir === undefined) return [];
    const name = taken.has(tool.name) ? toSafeName(`${tool.skill}_${tool.name}`) : tool.name;
    taken.add(name);
    return [present(tool, name, { name: tool.skill, dir })];
  });
  return { tools, failures: listed.failures };
}

function present(
  tool: RegisteredTool,
  name: string,
  skill: { readonly name: string; readonly dir: string },
): SkillTool {
  return {
    name,
    skill: skill.name,
    description: `${tool.description} (from the skill "${skill.name}")`,
    annotations: UNKNOWN_EFFECTS,
    schema: () => tool.schema(),
    execute: (args, { signal } = {}) => tool.execute(args, { skill, ...(signal === undefined ? {} : { signal }) }),
  };
}

/** The effects of a skill's tool are unknown, so these hints assume the worst. */
const UNKNOWN_EFFECTS: ToolAnnotations = {
  readOnlyHint: false,
  destructiveHint: true,
  idempotentHint: false,
  openWorldHint: true,
};
