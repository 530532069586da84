import { createContext } from 'preact';
import { useContext } from 'preact/hooks';

import type { ConsoleSession } from '../../../src/http/wire/contract.ts';

export const SessionContext = createContext<ConsoleSession | undefined>(undefined);

export function useSession(): ConsoleSession {
  const session = useContext(SessionContext);
  if (session === undefined) throw new Error('outside of the frame');
  return session;
}
