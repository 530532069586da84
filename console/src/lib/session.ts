import { createContext } from 'preact';
import { useContext } from 'preact/hooks';

import type { Session } from '../../../src/http/wire/contract.ts';

export const SessionContext = createContext<Session | undefined>(undefined);

export function useSession(): Session {
  const session = useContext(SessionContext);
  if (session === undefined) throw new Error('outside of the frame');
  return session;
}
