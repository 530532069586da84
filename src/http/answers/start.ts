import { dirname } from 'node:path';

import { z } from 'zod';

import { chooseAgents, readAgentDefault } from '../../engine/agent-wishes.ts';
import { giveSkills } from '../../engine/give-skills.ts';
import { HOSTS, listPresentAgents } from '../../hosts/all-hosts.ts';
import { reportHost } from '../../hosts/seeing/host-report.ts';
import { viewHost } from '../../hosts/seeing/view-host.ts';
import { AGENTS, HOST_IDS } from '../../model/agents.ts';
import { exists } from '../../platform/files/files.ts';
import { change, read } from '../endpoint.ts';
import { host, nothing } from '../input-fields.ts';

/** The agents that get new skills, and those to choose from. */
export const readDefault = read(nothing, async ({ skills: { environment } }) => {
  const { agents, found, isChosen } = readAgentDefault(environment);
  const known = [...new Set([...found, ...agents])].map((id) => ({ id, title: AGENTS[id].title }));
  return { ok: true, agents, known, isChosen };
});

/** Chooses the agents that get skills, and gives the skills to them. */
export const chooseDefault = change(
  z.strictObject({ agents: z.union([z.literal('found'), z.array(host).max(64).readonly()]) }),
  async ({ place }, { agents }) => {
    const saved = await chooseAgents(agents, place);
    if (!saved.ok) return saved;
    const done = await giveSkills('all', place);
    return done.ok ? { ok: true, file: saved.path, changes: done.given.changes.length } : done;
  },
);

/** Everything that a new user has: the agents on this machine with their lists, and the folders with skills. */
export const viewStart = read(nothing, async ({ skills }) => {
  const { environment } = skills;
  const present = listPresentAgents(environment);
  const copies = skills.copies();
  const agents = present.map((one) => {
    const view = viewHost(one, environment);
    const { counts, version, connection } = reportHost(one, environment, view);
    const isConnected = connection.hasServer || connection.hook !== undefined;
    return {
      id: one.id,
      title: one.title,
      version,
      listed: counts.described + counts.named,
      room: view.room,
      isConnected,
    };
  });
  const readers = present.map((one) => ({ title: one.title, paths: one.roots(environment).map(({ path }) => path) }));
  const roots = skills.catalog().roots.filter(({ path }) => exists(path));
  return {
    ok: true,
    agents,
    /** Titles of agents that are not on this machine. */
    absent: HOST_IDS.filter((id) => present.every((one) => one.id !== id)).map((id) => HOSTS[id].title),
    folders: roots.map(({ id, path }) => ({
      path,
      isBundled: id === 'bundled',
      skills: copies.filter((skill) => skill.source === id && dirname(skill.dir) === path).length,
      readBy: readers.filter(({ paths }) => paths.includes(path)).map(({ title }) => title),
    })),
  };
});
