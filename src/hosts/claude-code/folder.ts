import { agentFolder } from '../../sources/agent-folders.ts';
import type { HostPlace } from '../host.ts';

/** The folder with the user's settings, skills and history. */
export function claudeFolder(place: HostPlace): string {
  return agentFolder('claude-code', place);
}
