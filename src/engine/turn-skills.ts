import { openStore } from '../catalog/store.ts';
import { switchSkills, type EnableOptions, type SwitchedSkill } from '../install/switch.ts';
import type { AgentId } from '../model/agents.ts';
import type { Outcome } from '../model/outcome.ts';
import type { Skill } from '../model/skill.ts';
import { readEnvironment } from '../platform/environment.ts';
import { giveSkills, type AgentChange, type AgentChoice, type GiveOptions } from './give-skills.ts';
import { readSkillAgents, type SkillAgents } from './skill-agents.ts';

export interface TurnOptions extends EnableOptions, Pick<GiveOptions, 'confirm' | 'onWait'> {
  /** Only for these agents. Default: for all. */
  readonly agents?: readonly string[] | undefined;
}

/** A skill that was turned on or off, and who has it. */
export interface TurnedSkill extends SwitchedSkill {
  readonly before: SkillAgents;
  readonly after: SkillAgents;
  /** The exceptions of agents that held before, if only some agents were meant; choosing them takes that back. */
  readonly replaced: readonly AgentChange[];
}

/** The outcome for a skill, under the name that was given. */
export interface TurnedName {
  readonly name: string;
  readonly outcome: Outcome<TurnedSkill>;
}

/**
 * Enables or disables skills for all agents or some, and applies the change: links are added or removed, and where an
 * agent finds a skill itself, its own settings change. A disabled skill that is enabled for some agents is given only
 * to these, and stays disabled for others that find it themselves.
 */
export async function turnSkills(
  names: readonly string[],
  isOn: boolean,
  { agents, confirm, onWait, ...options }: TurnOptions = {},
): Promise<readonly TurnedName[]> {
  const { from: _, project, ...place } = options;
  const environment = readEnvironment(place);
  await using store = await openStore(place);
  const found = findAll(names, store);
  const known = found.flatMap(({ outcome }) => (outcome.ok ? [outcome.skill.name] : []));
  const before = await readSkillAgents(store.catalog(), environment, { names: known });
  const disabled = new Set(store.catalog().skills.flatMap(({ name, enabled }) => (enabled ? [] : [name])));
  const isSwitched = agents === undefined || (isOn && names.some((name) => disabled.has(name)));
  const switched = isSwitched ? await switchSkills(names, isOn, options) : found;
  const turned = switched.flatMap(({ outcome }) => (outcome.ok ? [outcome.skill.name] : []));
  /** A disabled skill that an agent finds even so is kept from it by that agent's own settings, if at all. */
  const listFinders = (name: string): readonly AgentId[] =>
    before
      .filter((each) => each.name === name)
      .flatMap((each) => each.agents.flatMap(({ agent, standing }) => (standing === 'unseen' ? [] : [agent])));
  const groups =
    agents === undefined ? [{ of: turned }] : chooseFor(turned, { disabled, listFinders, agents, isOn, project });
  const after: SkillAgents[] = [];
  const replaced: AgentChange[] = [];
  const changed = new Map<string, Pick<SwitchedSkill, 'file' | 'changed'>>();
  for (const { of, choose } of groups) {
    const done = of.length === 0 ? undefined : await giveSkills(of, { ...place, project, choose, confirm, onWait });
    if (done?.ok === false) return names.map((name) => ({ name, outcome: done }));
    after.push(...(done?.given.skills ?? []));
    replaced.push(...(done?.given.replaced ?? []));
    const config = done?.given.config;
    if (config !== undefined) for (const name of of) changed.set(name, { file: config.path, changed: config.changed });
  }
  const factsOf = ({ name, file }: Skill, facts: readonly SkillAgents[]): SkillAgents =>
    facts.find((each) => each.name === name) ?? { name, file, agents: [] };
  return switched.map(({ name, outcome }) => {
    if (!outcome.ok) return { name, outcome };
    const own = outcome.skill.name;
    const config = changed.get(own);
    const settings = { file: config?.file ?? outcome.file, changed: [...outcome.changed, ...(config?.changed ?? [])] };
    return {
      name,
      outcome: {
        ...outcome,
        ...settings,
        before: factsOf(outcome.skill, before),
        after: factsOf(outcome.skill, after),
        replaced: replaced.filter((each) => each.name === own),
      },
    };
  });
}

type Store = Awaited<ReturnType<typeof openStore>>;

function findAll(
  names: readonly string[],
  store: Store,
): readonly { readonly name: string; readonly outcome: Outcome<SwitchedSkill> }[] {
  return names.map((name) => {
    const found = store.find(name);
    return { name, outcome: found.ok ? { ...found, file: '', changed: [], others: [] } : found };
  });
}

interface ChosenGroup {
  readonly of: readonly string[];
  readonly choose?: AgentChoice;
}

interface Choosing {
  readonly disabled: ReadonlySet<string>;
  readonly listFinders: (name: string) => readonly AgentId[];
  readonly agents: readonly string[];
  readonly isOn: boolean;
  readonly project: boolean | undefined;
}

function chooseFor(
  names: readonly string[],
  { disabled, listFinders, agents, isOn, project }: Choosing,
): readonly ChosenGroup[] {
  if (!isOn) return [{ of: names, choose: { how: 'not', agents, project: project === true } }];
  return [
    ...names
      .filter((name) => disabled.has(name))
      .map((name): ChosenGroup => ({ of: [name], choose: { how: 'only', agents, keepFrom: listFinders(name) } })),
    {
      of: names.filter((name) => !disabled.has(name)),
      choose: { how: 'also', agents, project: project === true },
    },
  ];
}
