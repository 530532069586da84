import { createContext } from 'preact';
import { useContext } from 'preact/hooks';

import type { ConsoleSession } from './answers.ts';
import { visible } from './visible-text.ts';

export const SessionContext = createContext<ConsoleSession | undefined>(undefined);

export function useSession(): ConsoleSession {
  const session = useContext(SessionContext);
  if (session === undefined) throw new Error('outside of the frame');
  return session;
}

/** The title of an agent by its id in the history of use: that of its host, ours, or the id. */
export function useAgentTitle(): (agent: string) => string {
  const { hosts } = useSession();
  return (agent) =>
    agent === 'default' ? 'Skillplane' : visible(hosts.find(({ id }) => id === agent)?.title ?? agent);
}
