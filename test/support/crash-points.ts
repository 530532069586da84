import { once } from 'node:events';
import { readdirSync, renameSync, rmSync, statSync, utimesSync } from 'node:fs';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';

import { startModule } from './child.ts';
import { snapshotTree } from './snapshot.ts';
import { makeTree } from './tree.ts';

/**
 * Counts the calls that change the disk, from before the first module of ours is loaded. Before each of them, it copies the home to
 * a folder named by the count, or ends the process as `kill -9` does. `stopBefore` does some work up to its n-th call; that and all
 * later ones fail, so that the disk stays as it was.
 */
const COUNTING = `
import fs from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';
const { home, copies, deathAt } = JSON.parse(process.argv.splice(1, 1)[0]);
let calls = 0;
let stopAt = Infinity;
let isCounting = true;
async function stopBefore(at, work) {
  [calls, stopAt] = [0, at];
  await work().catch(() => {});
  const isStopped = calls >= at;
  stopAt = Infinity;
  return isStopped;
}
function count() {
  if (!isCounting) return;
  calls += 1;
  if (calls === deathAt) process.kill(process.pid, 'SIGKILL');
  if (calls >= stopAt) throw new Error('the process was stopped');
  if (copies === undefined) return;
  isCounting = false;
  // The cache of npm is large and not ours.
  const filter = (path) => path !== home + '/.npm';
  fs.cpSync(home, copies + '/' + calls, { recursive: true, verbatimSymlinks: true, filter });
  isCounting = true;
}
const CHANGES = /^(?:append|chmod|copyFile|fchmod|ftruncate|link|mkdir|mkdtemp|rename|rm|symlink|truncate|unlink|write)/;
const isWriting = (flags) =>
  typeof flags === 'number' ? (flags & (fs.constants.O_CREAT | fs.constants.O_TRUNC)) !== 0 : /[wax+]/.test(flags);
for (const [name, original] of Object.entries(fs)) {
  if (CHANGES.test(name)) fs[name] = (...args) => { count(); return original(...args); };
  if (/^open(?:Sync)?$/.test(name))
    fs[name] = (path, flags = 'r', ...rest) => { if (isWriting(flags)) count(); return original(path, flags, ...rest); };
}
syncBuiltinESMExports();
`;

/** A module that changes its home. */
export interface ChangingModule {
  /** Its text without static imports; `process.argv.slice(1)` are its `args`. */
  readonly code: string;
  readonly args: readonly string[];
  readonly home: string;
}

/** A state in which a crash could have left the home of a module. */
export interface CrashPoint {
  /** The number of the call that the process did not come to. */
  readonly at: number;
  /** Puts the home into this state, at the path where it was; once. */
  readonly restore: () => void;
}

/**
 * Runs a module to its end and returns every state in which a crash could have left its home, in order. The process has ended by
 * then, so the locks in them are those of a dead process.
 */
export async function recordCrashes(module: ChangingModule): Promise<readonly CrashPoint[]> {
  const copies = makeTree();
  const { exitCode, output } = await run(module, { copies });
  if (exitCode !== 0) throw new Error(`the process ended with ${exitCode}: ${output}`);
  const seen = new Set<string>();
  const calls = readdirSync(copies).map(Number);
  const points = calls
    .toSorted((a, b) => a - b)
    .map((at) => ({ at, copy: join(copies, String(at)) }))
    .filter(({ copy }) => {
      const { size } = seen;
      return seen.add(JSON.stringify(snapshotTree(copy))).size > size;
    });
  return points.map(({ at, copy }) => ({
    at,
    restore: () => {
      rmSync(module.home, { recursive: true });
      renameSync(copy, module.home);
      ageEmptyLocks(module.home);
    },
  }));
}

/**
 * Does some work in each home and stops it before the given call that changes the disk. Returns the homes in which it came that far.
 * Unlike copies, they keep the inodes and times of their files.
 */
export async function stopEach(
  work: string,
  homes: readonly { readonly home: string; readonly at: number }[],
): Promise<readonly string[]> {
  const code = `
    const work = ${work};
    const stopped = [];
    for (const { home, at } of JSON.parse(process.argv[1])) if (await stopBefore(at, () => work(home))) stopped.push(home);
    console.log(JSON.stringify(stopped));`;
  const { exitCode, output } = await run({ code, args: [JSON.stringify(homes)], home: '' }, {});
  if (exitCode !== 0) throw new Error(`the process ended with ${exitCode}: ${output}`);
  for (const { home } of homes) ageEmptyLocks(home);
  return JSON.parse(output) as readonly string[];
}

/** Runs a module that is killed right before its n-th call that changes the disk; false if it ends before. */
export async function crashAt(module: ChangingModule, deathAt: number): Promise<boolean> {
  const { exitCode, signal, output } = await run(module, { deathAt });
  if (exitCode !== 0 && signal !== 'SIGKILL') throw new Error(`the process ended with ${exitCode}: ${output}`);
  ageEmptyLocks(module.home);
  return signal === 'SIGKILL';
}

interface Ending {
  readonly exitCode: number | null;
  readonly signal: NodeJS.Signals | null;
  readonly output: string;
}

async function run({ code, args, home }: ChangingModule, settings: object): Promise<Ending> {
  const child = startModule(`${COUNTING}{${code}}`, [JSON.stringify({ home, ...settings }), ...args]);
  const [printed, complaints] = await Promise.all([text(child.stdout), text(child.stderr), once(child, 'close')]);
  return { exitCode: child.exitCode, signal: child.signalCode, output: printed + complaints };
}

/** A lock without a token counts as held for 30 seconds; tests do not wait for them. */
function ageEmptyLocks(home: string): void {
  for (const path of readdirSync(home, { recursive: true, encoding: 'utf8' }).filter((name) => name.endsWith('.lock')))
    if (statSync(join(home, path)).size === 0) utimesSync(join(home, path), 0, 0);
}
