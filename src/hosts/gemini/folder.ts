import { dirname } from 'node:path';

import { agentFolder } from '../../sources/agent-folders.ts';
import type { HostPlace } from '../host.ts';

/** The folder with the user's settings, skills and history. */
export function geminiFolder(place: HostPlace): string {
  return agentFolder('gemini', place);
}

/** Where it looks for everything of the user. Seen in 0.61.0. */
export function geminiHome(place: HostPlace): string {
  return dirname(geminiFolder(place));
}
