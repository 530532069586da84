import { spawn } from 'node:child_process';

import type { Io } from '../io.ts';

/** The program that opens an address in the user's browser; undefined if there is no screen. */
export function findOpener(platform: NodeJS.Platform, env: Io['env']): readonly string[] | undefined {
  if (platform === 'darwin') return ['open'];
  if (platform === 'win32') return ['rundll32', 'url.dll,FileProtocolHandler'];
  const hasScreen = Boolean(env['DISPLAY'] ?? env['WAYLAND_DISPLAY']);
  return hasScreen ? ['xdg-open'] : undefined;
}

/** Opens an address in the user's browser and does not wait for it. Resolves to false if that cannot be done. */
export async function openBrowser(url: string, env: Io['env']): Promise<boolean> {
  const [command, ...args] = findOpener(process.platform, env) ?? [];
  if (command === undefined) return false;
  const child = spawn(command, [...args, url], { stdio: 'ignore', detached: true, env });
  child.unref();
  return new Promise((resolve) => {
    child.once('error', () => resolve(false));
    child.once('spawn', () => resolve(true));
  });
}
