import { findOtherHost, HOST_IDS, HOSTS, OTHER_HOST_IDS, type SeeingHost } from '../../hosts.ts';
import { WrongUsage } from './options.ts';

/** The host of this id; any other id is wrong usage. */
export function findHost(id: string): SeeingHost {
  const known = HOST_IDS.find((each) => each === id);
  const host = known === undefined ? findOtherHost(id) : HOSTS[known];
  if (host === undefined)
    throw new WrongUsage(`"${id}" is no host`, `Known are ${[...HOST_IDS, ...OTHER_HOST_IDS].join(', ')}.`);
  return host;
}
