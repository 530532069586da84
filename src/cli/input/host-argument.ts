import { hostOf, HOSTS } from '../../hosts/all-hosts.ts';
import type { Host, KnownHost } from '../../hosts/host.ts';
import { AGENT_IDS, findAgent, findHostId, HOST_IDS, type AgentId } from '../../model/agents.ts';
import { findMeant } from '../../model/nearest.ts';
import { WrongUsage } from './options.ts';

/** The agent that a word means; a word that means none is wrong usage. */
export function readAgent(word: string): AgentId {
  const id = findAgent(word);
  if (id !== undefined) return id;
  const meant = findMeant(word, AGENT_IDS);
  const known = `Known agents: ${HOST_IDS.join(', ')} and ${AGENT_IDS.length - HOST_IDS.length} more.`;
  throw new WrongUsage(`unknown agent "${word}"`, meant === undefined ? known : `Did you mean ${meant}?`);
}

export function readHost(word: string): Host {
  return hostOf(readAgent(word));
}

/** The same for an agent of which more than its folders is known. */
export function readKnownHost(word: string): KnownHost {
  const id = readAgent(word);
  const known = findHostId(id);
  if (known !== undefined) return HOSTS[known];
  throw new WrongUsage(`only the folders of ${id} are known`, `Choose one of ${HOST_IDS.join(', ')}.`);
}
