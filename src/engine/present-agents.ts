import { dirname } from 'node:path';

import { hostOf, HOSTS, listPresentAgents } from '../hosts/all-hosts.ts';
import type { Host } from '../hosts/host.ts';
import { reportHost, type HostReport } from '../hosts/seeing/host-report.ts';
import { indexFiles } from '../hosts/seeing/skill-in-view.ts';
import { viewHost, type HostView, type Standing } from '../hosts/seeing/view-host.ts';
import { AGENT_IDS, findHostId, HOST_IDS, type HostId } from '../model/agents.ts';
import type { NextStep } from '../model/next-step.ts';
import type { Skill } from '../model/skill.ts';
import type { Environment } from '../platform/environment.ts';
import { exists } from '../platform/files/files.ts';
import type { Skills } from './open-skills.ts';

/** Says of each agent program that we know well whether it is here, what it sees and how it is connected. */
export function reportAgents(environment: Environment): readonly HostReport[] {
  return HOST_IDS.map((id) => reportHost(HOSTS[id], environment));
}

/** The agents of which only the folders are known, and whose folder is in the home, with what is in it. */
export function viewFolderAgents(environment: Environment): readonly HostView[] {
  return AGENT_IDS.filter((id) => findHostId(id) === undefined)
    .map(hostOf)
    .filter((host) => exists(host.shownIn(environment, 'user')))
    .map((host) => viewHost(host, environment));
}

/** How an agent program treats a skill. `unseen`: it does not look in its folder. */
export interface AgentSight {
  readonly id: HostId;
  readonly title: string;
  readonly standing: Standing | 'unseen';
  readonly because: string | undefined;
  readonly next: NextStep | undefined;
  /** The description as its model reads it. */
  readonly text: string;
}

/** How each agent program on this machine treats a skill. */
export function viewInAgents(environment: Environment, { file }: Pick<Skill, 'file'>): readonly AgentSight[] {
  return listPresentAgents(environment).map((host) => {
    const { id, title } = host;
    const seen = indexFiles(viewHost(host, environment))(file);
    if (seen === undefined) {
      const because = `${title} does not read this folder`;
      return { id, title, standing: 'unseen', because, next: undefined, text: '' };
    }
    const { standing, because, next, text } = seen;
    return { id, title, standing, because, next, text };
  });
}

/** Why a host comes across no skill of a name: it does not look where the skill lies, or there is none. */
export function explainUnseen(
  { environment, find }: Pick<Skills, 'environment' | 'find'>,
  host: Host,
  name: string,
): { readonly because: string; readonly next: NextStep } {
  const known = find(name);
  const { id, title } = host;
  if (known.ok) {
    const { name: own, dir, enabled } = known.skill;
    return {
      because: `${title} does not read ${dirname(dir)}`,
      next: { do: 'enable', skill: own, with: enabled ? { agent: id } : {} },
    };
  }
  const roots = new Set(host.roots(environment).map(({ path }) => path));
  return {
    because: `${title} finds no skill of this name, and neither does Skillplane`,
    next: { advice: `It reads ${[...roots].join(', ')}.` },
  };
}
