import { listToolsetTools, type OfferedTool } from '../agent/toolset-tools.ts';
import type { Skills } from '../engine/open-skills.ts';

export interface ToolsetOptions {
  /** Names that are taken. */
  readonly reserved: readonly string[];
  /** Called for each toolset that cannot be loaded, with the reason. */
  readonly onTrouble: (message: string) => void;
}

/** The tools of trusted skills, listed once per catalog; calls use the current toolsets. */
export function openToolsetTools(
  skills: Skills,
  { reserved, onTrouble }: ToolsetOptions,
): () => Promise<readonly OfferedTool[]> {
  const listings = new WeakMap<object, Promise<readonly OfferedTool[]>>();
  const told = new Set<string>();
  const load = async (): Promise<readonly OfferedTool[]> => {
    const { tools, failures } = await listToolsetTools(skills, reserved);
    for (const trouble of failures.map(({ skill, message }) => `${skill}: ${message}`)) {
      if (!told.has(trouble)) onTrouble(trouble);
      told.add(trouble);
    }
    return tools;
  };
  return () => {
    const catalog = skills.catalog();
    const listing = listings.get(catalog) ?? load();
    listings.set(catalog, listing);
    return listing;
  };
}
