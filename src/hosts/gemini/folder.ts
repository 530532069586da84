import { join } from 'node:path';

import type { HostPlace } from '../host.ts';

/** Where it looks for everything of the user. Seen in 0.61.0. */
export function geminiHome({ home, variables }: HostPlace): string {
  return variables['GEMINI_CLI_HOME'] || home;
}

/** The folder with the user's settings, skills and history. */
export function geminiFolder(place: HostPlace): string {
  return join(geminiHome(place), '.gemini');
}
