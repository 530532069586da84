import { dirname, join, relative, resolve } from 'node:path';

import { AGENT_IDS, AGENTS, type AgentId } from '../model/agents.ts';
import { compareText } from '../model/order.ts';
import type { Source } from '../model/source.ts';
import type { Environment } from '../platform/environment.ts';
import { agentFolder } from './agent-folders.ts';

/** A row of the table of places. `place` starts with `./` (project) or `~/` (home), or names a setting. */
export interface SourceRow extends Source {
  readonly place: string;
  /** Off unless `enabledSources` names it. */
  readonly isDefault: boolean;
  /** The program in whose folder it lies. */
  readonly agent?: AgentId | undefined;
}

/** The source of skills that agents wrote. */
export const agentWritten: Source = {
  id: 'agent-written',
  group: 'Agent-written',
  level: 'user',
  priority: 58,
  requireDescription: true,
  layout: 'skills',
};

/** Every place where agents keep skills; `model/agents.ts` has the folders of each. The default ones come first. */
export const sourceTable: readonly SourceRow[] = [
  row('plugin', '{pluginsDir}', { group: 'Plugin', level: 'user', priority: 100 }),
  row('project', './.agent/skills', { group: 'Project', level: 'project', priority: 90, requireDescription: true }),
  row('agents-project', './.agents/skills', { group: 'Agents', level: 'project', priority: 85 }),
  row('user', '{userDir}', { group: 'User', level: 'user', priority: 60, requireDescription: true }),
  row('agent-written', '{agentSkillsDir}', agentWritten),
  row('agents-user', '~/.agents/skills', { group: 'Agents', level: 'user', priority: 55 }),
  row('claude-plugins', '~/.claude/plugins', {
    group: 'Claude Plugin',
    level: 'user',
    priority: 45,
    layout: 'tree',
    agent: 'claude-code',
  }),
  row('npm-project', './node_modules/{npmPackages}', { group: 'npm', level: 'project', priority: 20 }),
  row('bundled', '{bundled}', { group: 'Bundled', level: 'bundled', priority: 10 }),
  ...AGENT_IDS.flatMap(agentRows),
].sort(
  (a, b) =>
    Number(b.isDefault) - Number(a.isDefault) || (a.isDefault ? b.priority - a.priority : compareText(a.id, b.id)),
);

/** The directory of a row in the home: where its program looks, even if its user has moved that folder. */
export function placeAtHome({ place, agent }: SourceRow, { cwd, home, variables }: Environment): string {
  if (agent === undefined) return join(home, place.slice(2));
  return resolve(cwd, agentFolder(agent, { home, variables }), relative(dirname(AGENTS[agent].user ?? ''), place));
}

/** The source of one entry of `customDirectories`. */
export function customSource(index: number, level: Source['level']): Source {
  return {
    id: `custom:${index}`,
    group: 'Custom',
    level,
    priority: 30,
    requireDescription: true,
    layout: 'skills',
  };
}

type Traits = Pick<Source, 'group' | 'level' | 'priority'> & Partial<SourceRow>;

function row(id: string, place: string, traits: Traits): SourceRow {
  return { id, place, requireDescription: false, layout: 'skills', isDefault: true, ...traits };
}

function agentRows(agent: AgentId): readonly SourceRow[] {
  const { title, project, user = '', priority, sources } = AGENTS[agent];
  const { id, group } = sources ?? { id: agent, group: title };
  const ranks = priority ?? { project: 70, user: 35 };
  const home = row(`${id}-user`, user, { group, level: 'user', priority: ranks.user, agent });
  if (project === undefined) return [home];
  // A clone can contain any folder, so that only the most common ones are on.
  const isDefault = priority !== undefined;
  return [row(`${id}-project`, project, { group, level: 'project', priority: ranks.project, isDefault, agent }), home];
}
