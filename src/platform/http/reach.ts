import { isLoopback } from './guard.ts';

/** Who can use a server at this address, as a sentence for the person who starts it. */
export function describeReach(host: string, hasToken: boolean): string {
  if (!isLoopback(host))
    return `Every machine that can connect to ${host} reaches it; only clients that send the token are answered. The connection is not encrypted.`;
  return hasToken
    ? 'Only programs on this machine reach it, and only those that send the token are answered.'
    : 'Every program of every user on this machine can use it; other machines cannot.';
}
