import { findConfigFile } from '../config/change-setting.ts';
import { editConfig, type EditedConfig } from '../config/edit-config.ts';
import { findException } from '../config/host-globs.ts';
import { readConfig } from '../config/read-config.ts';
import { listPresentAgents } from '../hosts/all-hosts.ts';
import type { Wish, WishFor } from '../hosts/sync/wanted-skills.ts';
import { AGENT_IDS, type AgentId } from '../model/agents.ts';
import type { SkillsConfig } from '../model/config.ts';
import { findMeant } from '../model/nearest.ts';
import { fail, type Outcome } from '../model/outcome.ts';
import { readEnvironment, type Environment, type EnvironmentOptions } from '../platform/environment.ts';

/** The agents that get skills unless the setting `hosts` says otherwise. */
export interface AgentDefault {
  readonly agents: readonly AgentId[];
  /**
   * Are they named in the setting `agents`? If not, they are the agents on this machine, and the user was not asked
   * yet.
   */
  readonly isChosen: boolean;
  /** The agents on this machine: the program or its folder is there. */
  readonly found: readonly AgentId[];
}

export function readAgentDefault(environment: Environment): AgentDefault {
  const { config, layers } = readConfig(environment);
  const found = listPresentAgents(environment).map(({ id }) => id);
  return {
    agents: agentsOf(config, found),
    isChosen: config.agents !== 'found' || layers[0]?.section.agents !== undefined,
    found,
  };
}

/** The agents of the setting `agents`. */
function agentsOf({ agents }: Pick<SkillsConfig, 'agents'>, found: readonly AgentId[]): readonly AgentId[] {
  return agents === 'found' ? found : AGENT_IDS.filter((id) => agents.includes(id));
}

/** Writes the setting `agents` into the user's configuration. Gives and takes no skill: see `giveSkills`. */
export async function chooseAgents(
  agents: readonly string[] | 'found',
  options: EnvironmentOptions = {},
): Promise<Outcome<EditedConfig>> {
  const read = agents === 'found' ? { ok: true as const, ids: agents } : readAgentIds(agents);
  const file = findConfigFile(readEnvironment(options), false);
  if (!read.ok) return read;
  return file.ok ? editConfig(file, (editor) => editor.set('agents', read.ids)) : file;
}

/** The ids, in our order and without repetitions; the failure of a word that is none names the one that may be meant. */
export function readAgentIds(words: readonly string[]): Outcome<{ readonly ids: readonly AgentId[] }> {
  const unknown = words.find((word) => !AGENT_IDS.some((id) => id === word));
  if (unknown === undefined) return { ok: true, ids: AGENT_IDS.filter((id) => words.includes(id)) };
  const meant = findMeant(unknown, AGENT_IDS);
  return fail('CONFIG_INVALID', `unknown agent "${unknown}"`, { choose: meant === undefined ? AGENT_IDS : [meant] });
}

/** The sources of skills that we installed, or that are written in our own folders. */
const OURS: ReadonlySet<string> = new Set(['plugin', 'user', 'agent-written', 'project', 'agents-project']);

export interface WishOptions {
  /** Also give skills in other agents' folders. */
  readonly everything?: boolean | undefined;
  /** The exceptions, if they are about to change. */
  readonly exceptions?: Pick<SkillsConfig, 'hosts' | 'project'> | undefined;
}

/**
 * Which agents shall have an enabled skill. An agent gets it if the setting `hosts` names it for the agent; or if it is ours to
 * give and the agent is one of the default, unless `hosts` leaves it out. Ours to give are skills that we installed and those in our own folders; of
 * those that agents wrote, the ones that a person enabled by name. Bundled and unavailable skills are never given.
 */
export function openWishes(agents: readonly AgentId[], { everything = false, exceptions }: WishOptions = {}): WishFor {
  return (skill, host, config) => {
    const exception = findException(skill.name, host, exceptions ?? config);
    const free = (because: string): Wish => ({ kind: 'free', because });
    if (exception === 'kept') return { kind: 'kept', because: 'you disabled it for this agent' };
    if (exception === 'not given') return free('you chose other agents for it');
    // A link into a package's folder breaks when the package is removed.
    if (skill.source === 'bundled') return free('it is part of Skillplane, and is not given to others');
    if (!skill.available) return free(skill.unavailableReason ?? 'it is unavailable');
    if (exception === 'given') return GIVEN;
    if (!everything && !OURS.has(skill.source)) return free('it is in the folder of another agent');
    if (skill.creator === 'agent' && !config.enabledSkills.includes(skill.name))
      return free('an agent wrote it, and you have not enabled it for others');
    return agents.includes(host) ? GIVEN : free('it is not one of your agents');
  };
}

const GIVEN: Wish = { kind: 'given', because: '' };
