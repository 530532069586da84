import {
  isByAgent,
  liesIn,
  listNames,
  SELECTION,
  toView,
  type SkillNames,
  type SkillSelection,
} from '../catalog/view.ts';
import { renderPreloaded } from '../disclose/prompt-exposure.ts';
import { contextSection } from '../engine/context-section.ts';
import { IDENTITY_KINDS, type AgentIdentity, type Skills } from '../engine/open-skills.ts';
import type { PromptOptions } from '../engine/skill-disclosure.ts';
import type { ToolFailure } from '../engine/skill-toolsets.ts';
import {
  aBoolean,
  aFunction,
  aNumber,
  aString,
  checkCall,
  optionsOf,
  stringOrStrings,
} from '../model/check-arguments.ts';
import type { Outcome } from '../model/outcome.ts';
import type { Skill } from '../model/skill.ts';
import { AGENT_TOOL_KINDS, agentToolNames, makeTools, type AgentToolOptions } from './agent-tools.ts';
import { refuseUnknown, resolveGiven } from './given-names.ts';
import { resolvePinned } from './pinned.ts';
import { openPool, type SkillPool } from './skill-pool.ts';
import { expandSlashCommand, slashCommands, type SlashCommand, type SlashMessage } from './slash-commands.ts';
import { listToolsetTools, type OfferedTool } from './toolset-tools.ts';
import { lookTwice } from './visible-skills.ts';

export interface ForAgentOptions extends AgentIdentity, AgentToolOptions, ListOptions {
  /** The agent's own system prompt, placed first. */
  readonly system?: string | undefined;
  /** The skills of this agent: names, ids, globs or a function, as `skills.only` takes them. Default: all. */
  readonly skills?: SkillSelection | undefined;
  /** Skills whose whole text is in the system prompt from the start, by name or id. */
  readonly preload?: SkillNames | undefined;
  /** Adds the AGENTS.md files of the working directory and above it; false. */
  readonly contextFiles?: boolean | undefined;
  /**
   * Lists the pinned skills and so many others, last used first, and counts the rest. By default the system prompt lists
   * all skills, as far as the budget allows.
   */
  readonly topN?: number | undefined;
  /** The only folder to which the agent writes skills; it need not exist. Its skills are always among the agent's. Adds `write_skill`. */
  readonly writesTo?: string | undefined;
  /** Adds the tools of trusted skills, which loads the code of their toolsets; false. `load_skill` names those of a skill. */
  readonly toolsets?: boolean | undefined;
}

/** How the system prompt lists skills: `message` is the first of the conversation, if it is known. */
type ListOptions = Pick<PromptOptions, 'message' | 'budget' | 'contextWindow' | 'countTokens'>;

const FOR_AGENT_OPTIONS = optionsOf<ForAgentOptions>({
  ...IDENTITY_KINDS,
  ...AGENT_TOOL_KINDS,
  system: aString,
  skills: SELECTION,
  preload: stringOrStrings,
  contextFiles: aBoolean,
  topN: aNumber,
  writesTo: aString,
  toolsets: aBoolean,
  message: aString,
  budget: aNumber,
  contextWindow: aNumber,
  countTokens: aFunction,
});

/** Everything an agent starts with. */
export interface AgentStart {
  /** The system prompt, skills included. Empty if there is nothing to say. */
  readonly system: string;
  /** Our tools, then those of skills. */
  readonly tools: readonly OfferedTool[];
  /** The commands that users can type. */
  readonly commands: readonly SlashCommand[];
  /** The message behind a text that begins with a command; see `expandSlashCommand`. */
  readonly expand: (text: string) => Promise<Outcome<SlashMessage> | undefined>;
  /** The engine as this agent sees it: matching messages, reflection, CTX. */
  readonly skills: Skills;
  /** Toolsets that could not be loaded, with the reason; empty without `toolsets`. */
  readonly failures: readonly ToolFailure[];
}

/**
 * Starts one of any number of agents over one engine or a list of skills: its system prompt, its tools and its commands. None of
 * them names a skill outside `skills`, but for those that the agent itself writes. Pass a ledger if the agent has one conversation
 * only. Fails if a name in `skills`, `pinned` or `preload` is unknown, if a pinned or preloaded skill may not be shown to a model, or
 * if the agent may write and there is no folder for it.
 */
export async function forAgent(given: SkillPool, options: ForAgentOptions = {}): Promise<Outcome<AgentStart>> {
  const whole = openPool('forAgent(skills, options?)', given);
  checkCall('forAgent(skills, options?)', { options: [options, FOR_AGENT_OPTIONS] });
  const { system = '', preload = [], contextFiles = false, ledger, writesTo } = options;
  const write = options.write ?? writesTo !== undefined;
  await whole.refreshIfChanged();
  const pool = writesTo === undefined ? whole : await whole.writingTo(writesTo);
  const folder = write ? pool.writing.agentFolder() : undefined;
  if (folder?.ok === false) return folder;
  const scoped = await lookTwice(pool, () => openScoped(pool, options));
  if (!scoped.ok) return scoped;
  const { skills } = scoped;
  const preloaded = await resolvePinned(skills, listNames(preload), { ledger });
  if (!preloaded.ok) return preloaded;
  const isPreloaded = new Set(preloaded.skills.map(({ name }) => name));
  // The list comes last: it changes most often, so everything before it stays in the provider's cache.
  const parts = [
    system.trimEnd(),
    contextFiles ? contextSection(pool).text : '',
    renderPreloaded(preloaded.skills),
    await listSkills(
      skills.only(({ name }) => !isPreloaded.has(name)),
      options,
    ),
  ];
  const ofSkills =
    options.toolsets === true ? await listToolsetTools(skills, agentToolNames(skills)) : { tools: [], failures: [] };
  return {
    ok: true,
    system: parts.filter((part) => part !== '').join('\n\n'),
    tools: [...makeTools(skills, { ...options, write, tools: ofSkills.tools }), ...ofSkills.tools],
    commands: await slashCommands(skills),
    expand: (text) => expandSlashCommand(skills, text, { ledger }),
    skills,
    failures: ofSkills.failures,
  };
}

async function listSkills(skills: Skills, options: ForAgentOptions): Promise<string> {
  const { topN, list, message, budget, contextWindow, countTokens } = options;
  if (topN === undefined) return skills.prompt({ message, budget, contextWindow, countTokens });
  const discoveryTool = list === true ? 'list_skills' : 'search_skills';
  return (await skills.disclosure.promptSection({ topN, discoveryTool })).text ?? '';
}

/** The engine as the agent sees it, if every name in the options is one of a skill. */
function openScoped(
  pool: Skills,
  { skills: selection, pinned = [], preload = [], agent, team, session, recordUse }: ForAgentOptions,
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
  return { ok: true, skills: scope(pool.as({ agent, team, session, recordUse, pinned: pins.names })) };
}

/** Narrows an engine to the selected skills and those that an agent writes through it. */
function openScope(selection: SkillSelection): (skills: Skills) => Skills {
  const isSelected = toView(selection);
  return (whole) => {
    const written = new Set<string>();
    const { writesTo } = whole.catalog();
    const isOwn = (skill: Skill): boolean => writesTo !== undefined && isByAgent(skill) && liesIn(skill, writesTo);
    const skills = whole.only((skill) => isSelected(skill) || isOwn(skill) || written.has(skill.file));
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
