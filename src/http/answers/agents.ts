import { z } from 'zod';

import { askAgents, type AskedAgent } from '../../engine/agents-having.ts';
import { giveSkills, type GivingPlan } from '../../engine/give-skills.ts';
import type { Skills } from '../../engine/open-skills.ts';
import { findHold, readSkillAgents, type AgentFact } from '../../engine/skill-agents.ts';
import { HOSTS } from '../../hosts/all-hosts.ts';
import { connectHost, disconnectHost, planConnection } from '../../hosts/connecting/connect-host.ts';
import { requestConnection, type WantedConnection } from '../../hosts/connecting/connection-request.ts';
import { readConnection } from '../../hosts/connecting/read-connection.ts';
import { countStandings } from '../../hosts/seeing/host-report.ts';
import type { Reason } from '../../hosts/seeing/host-skill.ts';
import { AGENT_IDS, AGENTS, findHostId, HOST_IDS } from '../../model/agents.ts';
import { parseJson } from '../../model/json.ts';
import { fail } from '../../model/outcome.ts';
import type { Skill } from '../../model/skill.ts';
import { sha256Of } from '../../parse/digest.ts';
import { change, read } from '../endpoint.ts';
import { host, name, named, nothing } from '../input-fields.ts';

/** Says which agents have which copy of which skill, and what a person may change about it. */
export const viewAgents = read(nothing, async ({ skills }) => {
  const { environment } = skills;
  const catalog = skills.catalog();
  const copies = [...catalog.skills, ...catalog.shadowed];
  const asked = askAgents(copies, catalog, environment);
  const byFile = new Map(copies.map((skill) => [skill.file, skill]));
  const facts = await readSkillAgents(catalog, environment, { copies: true, asked });
  const ids = asked.map(({ host: { id } }) => id);
  return {
    ok: true,
    agents: asked.map(({ host: { id }, view }) => {
      const known = findHostId(id);
      return {
        id,
        title: AGENTS[id].title,
        mark: AGENTS[id].mark,
        counts: countStandings(view),
        room: view.room,
        faults: view.faults,
        /** Undefined for agents of which only the folders are known. */
        connection: known === undefined ? undefined : readConnection(HOSTS[known], environment),
      };
    }),
    /** The titles of agents that we know well, and that are not on this machine. */
    absent: HOST_IDS.filter((id) => !ids.includes(id)).map((id) => AGENTS[id].title),
    /** Of each copy, one cell for each agent in their order, or null; those that have their name come first. */
    rows: facts.map((row) => {
      const skill = byFile.get(row.file);
      const holdOf = openHolds(skill, asked, environment);
      const byAgent = new Map(row.agents.map((fact) => [fact.agent, fact]));
      const cells = ids.map((id) => {
        const fact = byAgent.get(id);
        return fact === undefined ? null : toCell(fact, skill, holdOf(fact) !== undefined);
      });
      return { name: row.name, file: row.file, cells };
    }),
  };
});

/** There are thousands of cells, so a cell leaves out whatever there is nothing to say about. */
function toCell(fact: AgentFact, skill: Skill | undefined, isStuck: boolean) {
  const { standing, because, isWished, isKept } = fact;
  return {
    standing,
    ...(because !== undefined && { because }),
    ...(isWished && { isWished }),
    ...(isKept && { isKept }),
    ...(canGive(fact) && skill?.enabled === true && { canGive: true }),
    ...(isStuck && { isStuck }),
  };
}

/** Says of the agents that list a skill unasked why we cannot take it from them. */
function openHolds(
  skill: Skill | undefined,
  asked: readonly AskedAgent[],
  environment: Skills['environment'],
): (fact: AgentFact) => Reason | undefined {
  return ({ agent, has, isWished, isKept }) => {
    if (skill === undefined || !has || isWished || isKept) return undefined;
    const one = asked.find(({ host: { id } }) => id === agent);
    const seen = one?.find(skill);
    return one === undefined || seen === undefined ? undefined : findHold(one.host, seen.skill, environment);
  };
}

/** Would giving it change something? Not if it is unavailable, or hidden by the skill itself. */
function canGive({ agent, has, isKept, isWished, standing, next }: AgentFact): boolean {
  if (has) return false;
  const isOffer =
    next !== undefined && 'do' in next && next.do === 'enable' && (next.with?.['agent'] ?? agent) === agent;
  const isMissing = next !== undefined && 'do' in next && next.do === 'sync';
  return standing === 'unseen' ? isOffer || (isWished && isMissing) : standing === 'hidden' && isKept;
}

/** Says of one skill which agents have it, and why the others do not. */
export const viewSkillAgents = read(named, async ({ skills }, { name: wanted }) => {
  const found = skills.find(wanted);
  if (!found.ok) return found;
  const { skill } = found;
  const [catalog, { environment }] = [skills.catalog(), skills];
  const asked = askAgents([skill], catalog, environment);
  const [row] = await readSkillAgents(catalog, environment, { names: [skill.name], asked });
  const holdOf = openHolds(skill, asked, environment);
  return {
    ok: true,
    agents: (row?.agents ?? []).map((fact) => {
      const hold = holdOf(fact);
      return { ...fact, canGive: canGive(fact), isStuck: hold !== undefined, hold };
    }),
    /** The titles of agents that we know well, and that are not on this machine. */
    absent: HOST_IDS.filter((id) => asked.every(({ host }) => host.id !== id)).map((id) => AGENTS[id].title),
  };
});

/** Skills that agents shall have, or shall not; with the exceptions of the setting `hosts`, for taking a change back. */
const changes = z
  .array(z.strictObject({ name, agent: host, to: z.enum(['give', 'kept', 'given', 'not given', 'default']) }))
  .min(1)
  .max(1_000)
  .readonly();
type Changes = z.infer<typeof changes>;

/** Says what these changes (JSON) would do, and does nothing. */
export const planGiving = read(z.strictObject({ changes: z.string().max(200_000) }), async ({ place }, given) => {
  const parsed = changes.safeParse(parseJson(given.changes));
  if (!parsed.success) return fail('CONFIG_INVALID', 'these are no changes');
  const seen: GivingPlan[] = [];
  const planned = await giveSkills(namesIn(parsed.data), {
    ...place,
    ...choiceOf(parsed.data),
    confirm: async (plan) => {
      seen.push(plan);
      return false;
    },
  });
  if (!planned.ok) return planned;
  const [plan] = seen;
  if (plan === undefined) throw new Error('there is no plan');
  return { ok: true, ...plan, digest: digestOf(plan) };
});

/** Makes these changes, and says who had and who has the skills. With the digest of a plan, only if they would still do the same. */
export const applyGiving = change(
  z.strictObject({ changes, digest: z.string().max(100).optional() }),
  async ({ skills, place }, { changes: wanted, digest }) => {
    const names = namesIn(wanted);
    const before = await readSkillAgents(skills.catalog(), skills.environment, { names });
    const done = await giveSkills(names, {
      ...place,
      ...choiceOf(wanted),
      confirm: async (plan) => digest === undefined || digestOf(plan) === digest,
    });
    if (!done.ok) return done;
    if (!done.given.isDone)
      return fail('CONFIG_INVALID', 'Another program has changed something meanwhile, so nothing was changed.', {
        retry: 'now',
      });
    return { ok: true, before, ...done.given };
  },
);

function namesIn(wanted: Changes): readonly string[] {
  return [...new Set(wanted.map((each) => each.name))];
}

/** Only the agents of the changes are touched. */
function choiceOf(wanted: Changes) {
  const hosts = AGENT_IDS.filter((id) => wanted.some(({ agent }) => agent === id));
  return { hosts, choose: { how: 'each', changes: wanted } as const };
}

function digestOf({ changes: made, files, problems, settings }: GivingPlan): string {
  return sha256Of(JSON.stringify([made, files, problems, settings]));
}

const flag = z.literal('true').optional();

/**
 * Says what would be written into the files of a host, and writes nothing. `server`, `hook`: what the host shall have; without
 * both it is disconnected. `recordsUse`: its hook also tells us of every skill that is used.
 */
export const previewConnection = read(
  z.strictObject({ host, server: flag, hook: flag, recordsUse: flag }),
  async ({ skills }, { host: id, server, hook, recordsUse }) => {
    const wanted = { server: server !== undefined, hook: hook !== undefined, recordsUse: recordsUse !== undefined };
    const planned = plan(skills, id, wanted);
    return planned.ok ? { ok: true, files: planned.files, next: planned.next } : planned;
  },
);

export const connect = change(
  z.strictObject({ host, server: z.boolean(), hook: z.boolean(), recordsUse: z.boolean() }),
  async ({ skills }, { host: id, ...wanted }) => {
    const planned = plan(skills, id, wanted);
    if (!planned.ok) return planned;
    const { agent, wish, files, next } = planned;
    const { environment } = skills;
    const done = await (wish === undefined
      ? disconnectHost(agent, environment)
      : connectHost(agent, environment, wish));
    return done.ok ? { ok: true, files, next } : done;
  },
);

/** The files that would change, and the steps that are left to the person. */
function plan({ environment }: Skills, id: string, wanted: WantedConnection) {
  const known = findHostId(id);
  if (known === undefined) return fail('CONFIG_INVALID', `unknown agent "${id}"`, { choose: HOST_IDS });
  const agent = HOSTS[known];
  // Without both, it is left without us.
  const wish = wanted.server || wanted.hook ? requestConnection(agent, wanted, environment) : undefined;
  const planned = planConnection(agent, environment, wish);
  if (!planned.ok) return planned;
  const next = wanted.hook ? agent.hook.afterwards : undefined;
  return { ok: true as const, agent, wish, files: planned.files, next };
}
