import type { Catalog } from '../catalog/catalog.ts';
import { hostOf, listPresentAgents } from '../hosts/all-hosts.ts';
import type { Host } from '../hosts/host.ts';
import { indexNames } from '../hosts/seeing/skill-in-view.ts';
import { viewHost, type HostView, type SeenSkill } from '../hosts/seeing/view-host.ts';
import { findSynced, listCopied, type SyncedCopy } from '../hosts/sync/synced-copies.ts';
import { AGENT_IDS, type AgentId } from '../model/agents.ts';
import type { Skill } from '../model/skill.ts';
import type { Environment } from '../platform/environment.ts';
import { sourceTable } from '../sources/table.ts';

/** An agent, and how it treats the skills of a catalog. */
export interface AskedAgent {
  readonly host: Host;
  readonly view: HostView;
  /** Is it asked about a skill? */
  readonly concerns: (skill: Skill) => boolean;
  /** Finds a skill in its view, also by a copy of ours; undefined if it does not come across it. */
  readonly find: (skill: Skill) => SeenSkill | undefined;
  /** Finds skills in its view by a name. */
  readonly findNamed: (name: string) => readonly SeenSkill[];
}

/**
 * Every agent on this machine that we know well, of the setting `agents`, and that the setting `hosts` gives skills to; also those
 * in whose folders the skills are, for these alone.
 */
export function askAgents(skills: readonly Skill[], catalog: Catalog, environment: Environment): readonly AskedAgent[] {
  const { agents, hosts } = catalog.reading.config;
  const present: ReadonlySet<AgentId> = new Set(listPresentAgents(environment).map(({ id }) => id));
  const isAsked = (id: AgentId): boolean =>
    present.has(id) ||
    (agents !== 'found' && agents.includes(id)) ||
    (hosts[id] ?? []).some((glob) => !/^[!-]/.test(glob));
  const owners = new Set(skills.flatMap(({ source }) => agentOfSource(source) ?? []));
  const ids = AGENT_IDS.filter((id) => isAsked(id) || owners.has(id));
  if (ids.length === 0) return [];
  const copies = listCopied(environment);
  return ids.map((id) => ({
    ...askView(viewHost(hostOf(id), environment), catalog, copies),
    concerns: ({ source }) => isAsked(id) || agentOfSource(source) === id,
  }));
}

/** One agent, asked about every skill. */
export function askView(view: HostView, catalog: Catalog, copies: readonly SyncedCopy[]): AskedAgent {
  const findFile = findSynced(view, copies);
  let named: AskedAgent['findNamed'] | undefined;
  return {
    host: view.host,
    view,
    concerns: () => true,
    findNamed: (name) => (named ??= indexNames(view))(name),
    find: (skill) => copiesOf(skill, catalog).map(findFile).sort(listedFirst)[0],
  };
}

/** The agents that list each skill, with description or by name. Undefined if no agent is asked about. */
export function listHaving(
  catalog: Catalog,
  environment: Environment,
): ReadonlyMap<Skill, readonly Host[]> | undefined {
  const asked = askAgents(catalog.skills, catalog, environment);
  if (asked.length === 0) return undefined;
  return new Map(
    catalog.skills.map((skill) => {
      const having = asked.filter((agent) => agent.concerns(skill) && isListed(agent.find(skill)));
      return [skill, having.map(({ host }) => host)];
    }),
  );
}

export function isListed(seen: SeenSkill | undefined): boolean {
  return seen?.standing === 'described' || seen?.standing === 'named';
}

/** The agent whose folder a source is. */
export function agentOfSource(source: string): AgentId | undefined {
  return sourceTable.find(({ id }) => id === source)?.agent;
}

/** The skill; a disabled one is kept from agents with all of its copies. */
function copiesOf(skill: Skill, { shadowed }: Catalog): readonly Skill[] {
  const isAlone = skill.enabled || skill.shadowedBy !== undefined;
  return isAlone ? [skill] : [skill, ...shadowed.filter((copy) => copy.name === skill.name)];
}

function listedFirst(a: SeenSkill | undefined, b: SeenSkill | undefined): number {
  return Number(isListed(b)) - Number(isListed(a)) || Number(b !== undefined) - Number(a !== undefined);
}
