import { dirname } from 'node:path';

import type { Catalog } from '../catalog/catalog.ts';
import type { Host } from '../hosts/host.ts';
import type { HostSkill, Reason } from '../hosts/seeing/host-skill.ts';
import { skillsSeenBy } from '../hosts/seeing/skill-in-view.ts';
import type { HostView, SeenSkill, Standing } from '../hosts/seeing/view-host.ts';
import { listCopied } from '../hosts/sync/synced-copies.ts';
import type { AdmitSkill, Wish } from '../hosts/sync/wanted-skills.ts';
import type { AgentId } from '../model/agents.ts';
import type { Skill } from '../model/skill.ts';
import type { Environment } from '../platform/environment.ts';
import { openWishes, readAgentDefault } from './agent-wishes.ts';
import { askAgents, askView, isListed, agentOfSource, type AskedAgent } from './agents-having.ts';
import type { Skills } from './open-skills.ts';
import { openAgentGate } from './sync-agents.ts';

/** A skill, and the agents that have it. */
export interface SkillAgents {
  readonly name: string;
  /** Its SKILL.md. */
  readonly file: string;
  /**
   * Every agent on this machine that we know well, of the setting `agents`, and that the setting `hosts` gives skills to; also the one in
   * whose folder the skill is.
   */
  readonly agents: readonly AgentFact[];
}

/** Whether an agent has a skill, as `explain` sees it. New sessions of the agent follow it. */
export interface AgentFact extends Partial<Reason> {
  readonly agent: AgentId;
  readonly title: string;
  /** Shall it have the skill? */
  readonly isWished: boolean;
  /** Is it kept from the agent, because the skill is disabled, for it or for all? If it has the skill even so, `because` says why. */
  readonly isKept: boolean;
  /** Does its model see the skill, with description or by name? If not, or if it should not, `because` says why. */
  readonly has: boolean;
  /** How the agent treats it. `unseen`: it does not come across it. */
  readonly standing: Standing | 'unseen';
}

export interface SkillAgentsOptions {
  /** Only skills of these names. */
  readonly names?: readonly string[] | undefined;
  /** Also the copies whose name another has, behind the skills. They are given to no agent, but one may find them. */
  readonly copies?: boolean | undefined;
  /** The agents, if they were asked about these skills already. */
  readonly asked?: readonly AskedAgent[] | undefined;
}

/**
 * Says for each skill of a catalog which agents have it, and why the others do not: the fact and the wish, side by side. Only reads.
 * The skills come in the order of the catalog.
 */
export async function readSkillAgents(
  catalog: Catalog,
  environment: Environment,
  { names, copies = false, asked: known }: SkillAgentsOptions = {},
): Promise<readonly SkillAgents[]> {
  const { config } = catalog.reading;
  const wishFor = openWishes(readAgentDefault(environment).agents);
  const admit = openAgentGate(environment);
  const every = copies ? [...catalog.skills, ...catalog.shadowed] : catalog.skills;
  const skills = every.filter(({ name }) => names?.includes(name) ?? true);
  const asked = known ?? askAgents(skills, catalog, environment);
  const wishOf = (skill: Skill, id: AgentId): Wish =>
    skill.enabled
      ? wishFor(skill, id, config)
      : { kind: 'kept', because: `it is disabled: ${skill.reasons.join('; ')}` };
  const rows: SkillAgents[] = [];
  for (const skill of skills) {
    const facts: AgentFact[] = [];
    let admitted: ReturnType<AdmitSkill> | undefined;
    for (const { host, find, findNamed } of asked.filter((agent) => agent.concerns(skill))) {
      const loads = host.ownSources.includes(skill.source);
      const wish = skill.shadowedBy === undefined ? wishOf(skill, host.id) : SHADOWED;
      const isWished = wish.kind === 'given' && !loads && skill.status !== 'broken';
      const seen = find(skill);
      const standing = seen?.standing ?? 'unseen';
      const has = isListed(seen);
      const reason = await explain(
        { skill, host, findNamed, wish, seen, isWished, environment },
        () => (admitted ??= admit(skill, catalog)),
      );
      facts.push({
        agent: host.id,
        title: host.title,
        isWished,
        isKept: wish.kind === 'kept',
        has,
        standing,
        ...reason,
      });
    }
    rows.push({ name: skill.name, file: skill.file, agents: facts });
  }
  return rows;
}

/**
 * Every skill with the state that it has for an agent, and why. One that is disabled, for it or for all, and that the agent lists even
 * so is `enabled`, and its reasons say both.
 */
export async function listSkillsFor(
  view: HostView,
  { catalog, copies, environment }: Pick<Skills, 'catalog' | 'copies' | 'environment'>,
): Promise<readonly Skill[]> {
  const skills = skillsSeenBy(view, copies());
  const names = skills.filter(({ status }) => status === 'enabled').map(({ name }) => name);
  const asked = [askView(view, catalog(), listCopied(environment))];
  const rows = await readSkillAgents(catalog(), environment, { names, asked });
  const kept = new Map(
    rows.flatMap(({ name, agents }) =>
      agents.filter(({ isKept, has }) => isKept && has).map((fact) => [name, fact] as const),
    ),
  );
  return skills.map((skill) => {
    const fact = skill.status === 'enabled' ? kept.get(skill.name) : undefined;
    if (fact === undefined) return skill;
    const { title, because, next } = fact;
    return { ...skill, reasons: [`disabled, but ${title} still lists it: ${because}`], ...(next && { next }) };
  });
}

const SHADOWED: Wish = { kind: 'free', because: 'another skill has its name' };

interface Case {
  readonly skill: Skill;
  readonly host: Host;
  readonly findNamed: AskedAgent['findNamed'];
  readonly wish: Wish;
  readonly seen: SeenSkill | undefined;
  readonly isWished: boolean;
  readonly environment: Environment;
}

async function explain(
  { skill, host, findNamed, wish, seen, isWished, environment }: Case,
  admit: () => ReturnType<AdmitSkill>,
): Promise<Partial<Reason>> {
  const { title } = host;
  if (seen !== undefined) {
    if (!isListed(seen) || isWished) return pickReason(seen);
    if (wish.kind === 'kept') return explainSight(host, seen, environment);
    const { path } = seen.skill.root;
    return {
      because:
        agentOfSource(skill.source) === host.id ? `${path} is ${title}'s own folder` : `${title} reads ${path}, too`,
    };
  }
  if (skill.status === 'broken') return { because: `it is broken: ${skill.reasons.join('; ')}` };
  if (!isWished) return { because: wish.because, ...remedyFor(skill, host.id) };
  const rival = findNamed(skill.name).find(isListed);
  if (rival !== undefined) {
    const dir = dirname(rival.skill.file);
    return { because: `it has another ${skill.name} (${dir})`, next: { moveAway: dir } };
  }
  const admitted = await admit();
  if (!admitted.ok) return pickReason({ because: admitted.message, next: admitted.next });
  return { because: `it is not in a folder that ${title} reads`, next: { do: 'sync', skill: skill.name } };
}

/** Why an agent lists a skill that is kept from it. */
function explainSight(host: Host, { skill }: SeenSkill, environment: Environment): Reason {
  return findHold(host, skill, environment) ?? { because: `${host.title} reads it in ${dirname(skill.file)}` };
}

/** Why only the agent itself, or another folder, can keep a skill of its folders from it; undefined if we can switch it off. */
export function findHold(host: Host, { root, file }: HostSkill, environment: Environment): Reason | undefined {
  const switched = host.switch.file(environment, root.level === 'project' ? 'project' : 'user');
  return 'path' in switched ? undefined : { because: switched.because, next: { moveAway: dirname(file) } };
}

/** How a person gives it to the agent. */
function remedyFor({ name, source, enabled, available, shadowedBy }: Skill, agent: AgentId): Pick<Reason, 'next'> {
  if (source === 'bundled' || !available || shadowedBy !== undefined) return {};
  return { next: enabled ? { do: 'enable', skill: name, with: { agent } } : { do: 'enable', skill: name } };
}

function pickReason({ because, next }: Partial<Reason>): Partial<Reason> {
  return { ...(because === undefined ? {} : { because }), ...(next === undefined ? {} : { next }) };
}
