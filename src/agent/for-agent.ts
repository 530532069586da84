import { listNames, toView, type SkillNames, type SkillSelection } from '../catalog/view.ts';
import { renderPreloaded } from '../disclose/prompt-exposure.ts';
import { contextSection } from '../engine/context-section.ts';
import type { AgentIdentity, Skills } from '../engine/open-skills.ts';
import type { Outcome } from '../model/outcome.ts';
import type { AgentTool } from './agent-tool.ts';
import { agentTools, type AgentToolOptions } from './agent-tools.ts';
import { refuseUnknown, resolveGiven } from './given-names.ts';
import { resolvePinned } from './pinned.ts';
import { lookTwice } from './visible-skills.ts';

export interface ForAgentOptions extends AgentIdentity, AgentToolOptions {
  /** The agent's own system prompt; everything else comes after it. */
  readonly system?: string | undefined;
  /** The skills of this agent: names, ids, globs or a function, as `skills.only` takes them. Default: all. */
  readonly skills?: SkillSelection | undefined;
  /** Skills whose whole text is in the system prompt from the start, by name or id. */
  readonly preload?: SkillNames | undefined;
  /** Adds the AGENTS.md files of the working directory and above it; false. */
  readonly contextFiles?: boolean | undefined;
  /** How many skills the system prompt lists besides the pinned ones. Default: 5. */
  readonly topN?: number | undefined;
}

/** Everything an agent starts with. */
export interface AgentStart {
  /** The system prompt, skills included. Empty if there is nothing to say. */
  readonly system: string;
  readonly tools: readonly AgentTool[];
  /** The engine as this agent sees it, for everything else: slash commands, what a message brings, CTX. */
  readonly skills: Skills;
}

/**
 * Starts one of any number of agents over one engine: its system prompt and its tools. Neither names a skill outside
 * `skills`, but for those that the agent itself writes. Pass a ledger if the agent has one conversation only. Fails if a name in `skills`, `pinned` or `preload` is
 * unknown, or if a pinned or preloaded skill may not be shown to a model.
 */
export async function forAgent(pool: Skills, options: ForAgentOptions = {}): Promise<Outcome<AgentStart>> {
  const { system = '', preload = [], contextFiles = false, topN, ledger, list } = options;
  await pool.refreshIfChanged();
  const scoped = await lookTwice(pool, () => openScoped(pool, options));
  if (!scoped.ok) return scoped;
  const { skills } = scoped;
  const preloaded = await resolvePinned(skills, listNames(preload), { ledger });
  if (!preloaded.ok) return preloaded;
  const isPreloaded = new Set(preloaded.skills.map(({ name }) => name));
  const section = await skills
    .only(({ name }) => !isPreloaded.has(name))
    .disclosure.promptSection({ topN, discoveryTool: list === true ? 'list_skills' : 'search_skills' });
  const parts = [
    system.trimEnd(),
    contextFiles ? contextSection(pool).text : '',
    section.text ?? '',
    renderPreloaded(preloaded.skills),
  ];
  return {
    ok: true,
    system: parts.filter((part) => part !== '').join('\n\n'),
    tools: agentTools(skills, options),
    skills,
  };
}

/** The engine as the agent sees it, if every name in the options is one of a skill. */
function openScoped(
  pool: Skills,
  { skills: selection, pinned = [], preload = [], agent, team, session }: ForAgentOptions,
): Outcome<Pick<AgentStart, 'skills'>> {
  const all = pool.catalog().skills;
  const refusal = selection === undefined ? undefined : refuseUnknown(all, selection);
  if (refusal !== undefined) return refusal;
  const scope = selection === undefined ? (skills: Skills): Skills => skills : openScope(selection);
  const own = scope(pool).catalog().skills;
  const pins = resolveGiven({ option: 'pinned', names: pinned, own, all });
  if (!pins.ok) return pins;
  const given = resolveGiven({ option: 'preload', names: preload, own, all });
  if (!given.ok) return given;
  return { ok: true, skills: scope(pool.as({ agent, team, session, pinned: pins.names })) };
}

/** Narrows an engine to the selected skills and those that an agent writes through it. */
function openScope(selection: SkillSelection): (skills: Skills) => Skills {
  const isSelected = toView(selection);
  return (whole) => {
    const written = new Set<string>();
    const skills = whole.only((skill) => isSelected(skill) || written.has(skill.file));
    const putByAgent: Skills['writing']['putByAgent'] = async (draft) => {
      const done = await skills.writing.putByAgent(draft);
      if (!done.ok || written.has(done.path)) return done;
      written.add(done.path);
      // The view is asked again with the next scan.
      await skills.refresh();
      return done;
    };
    return { ...skills, writing: { ...skills.writing, putByAgent } };
  };
}
