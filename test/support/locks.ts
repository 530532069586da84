import { spawnSync } from 'node:child_process';

import { uniqueName } from '../../src/platform/clock.ts';
import { runModule, sourceUrl } from './child.ts';

/** The lock token of a process that has ended. */
export async function deadToken(): Promise<string> {
  const code = `
    import { renderToken } from ${JSON.stringify(sourceUrl('platform/files/lock.ts'))};
    console.log(JSON.stringify(renderToken()));`;
  return String(await runModule(code));
}

/** A `uniqueName` of a process that has ended. */
export function deadName(): string {
  return uniqueName().replace(/^\d+/, String(spawnSync(process.execPath, ['--version']).pid));
}
