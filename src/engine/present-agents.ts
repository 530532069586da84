import { dirname } from 'node:path';

import { hostOf, HOSTS } from '../hosts/all-hosts.ts';
import type { Host } from '../hosts/host.ts';
import { reportHost, type HostReport } from '../hosts/seeing/host-report.ts';
import { viewHost, type HostView } from '../hosts/seeing/view-host.ts';
import { AGENT_IDS, findHostId, HOST_IDS } from '../model/agents.ts';
import type { NextStep } from '../model/next-step.ts';
import type { Environment } from '../platform/environment.ts';
import { exists } from '../platform/files/files.ts';
import type { Skills } from './open-skills.ts';

/** For each supported agent: whether it is on this machine, the skills it lists, and how it is connected. */
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

/** Why an agent does not find a skill: it does not read that folder, or there is no such skill. */
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
