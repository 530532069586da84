import { join } from 'node:path';

import type { HostPlace } from '../host.ts';

/** The folder with the user's settings, skills and history. */
export function claudeFolder({ home, variables }: HostPlace): string {
  return variables['CLAUDE_CONFIG_DIR'] || join(home, '.claude');
}
