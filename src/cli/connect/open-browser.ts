import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';

import type { Io } from '../io.ts';

/** The program that opens a URL in the browser; undefined without a display. */
export function findOpener(platform: NodeJS.Platform, env: Io['env']): readonly string[] | undefined {
  if (platform === 'darwin') return ['open'];
  if (platform === 'win32') return ['rundll32', 'url.dll,FileProtocolHandler'];
  const hasScreen = Boolean(env['DISPLAY'] ?? env['WAYLAND_DISPLAY']);
  return hasScreen ? ['xdg-open'] : undefined;
}

/**
 * Opens a secret address in the user's browser and does not wait for it. Every user of a machine can read the arguments of a
 * process, so the browser is given a file that leads to the address and that only its user can read. Disposing removes the
 * file. Resolves to undefined if nothing can be opened.
 */
export async function openBrowser(url: string, env: Io['env']): Promise<Disposable | undefined> {
  const [command, ...args] = findOpener(process.platform, env) ?? [];
  if (command === undefined) return undefined;
  const dir = makePrivateFolder(env);
  if (dir === undefined) return undefined;
  const file = join(dir, 'open.html');
  writeFileSync(file, leadTo(url), { mode: 0o600, flag: 'wx' });
  const opened = { [Symbol.dispose]: () => rmSync(dir, { recursive: true, force: true }) };
  const child = spawn(command, [...args, pathToFileURL(file).href], { stdio: 'ignore', detached: true, env });
  child.unref();
  const isStarted = await new Promise<boolean>((resolve) => {
    child.once('error', () => resolve(false));
    child.once('spawn', () => resolve(true));
  });
  if (isStarted) return opened;
  opened[Symbol.dispose]();
  return undefined;
}

/** Makes a folder of mode 0700; undefined if nothing can be written. */
function makePrivateFolder(env: Io['env']): string | undefined {
  try {
    return mkdtempSync(join(env['TMPDIR'] || tmpdir(), 'skillplane-console-'));
  } catch (error) {
    if (error instanceof Error && 'code' in error) return undefined;
    throw error;
  }
}

/** A page that leads to an address of ours, in which nothing needs to be escaped. */
function leadTo(url: string): string {
  return `<!doctype html>
<meta charset="utf-8">
<meta name="referrer" content="no-referrer">
<meta http-equiv="refresh" content="0; url=${url}">
<title>Skillplane</title>
<a href="${url}">Open the console</a>
`;
}
