import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

import { parse } from 'yaml';

import { parseLock, renderLock } from '../../src/config/lock-file.ts';
import type { LockedSkill } from '../../src/model/lock.ts';
import { digestFolder } from '../../src/parse/digest.ts';
import { openSkillFolder } from '../../src/platform/files/skill-folder.ts';

/** Every path below a folder except caches; folders end with `/`. Empty if the folder does not exist. */
export function listEverything(root: string, at = ''): readonly string[] {
  if (!existsSync(join(root, at))) return [];
  return readdirSync(join(root, at), { withFileTypes: true })
    .flatMap((entry): readonly string[] => {
      const path = at === '' ? entry.name : `${at}/${entry.name}`;
      if (/(?:^|\/)\.agent\/cache$/.test(path)) return [];
      return entry.isDirectory() ? [`${path}/`, ...listEverything(root, path)] : [path];
    })
    .sort();
}

/** Leftovers that must never stay: staging and fetch folders, pending changes, half-written files, stale locks. */
export function findLeftovers(root: string): readonly string[] {
  const all = listEverything(root);
  const kept = all.filter((path) => /\.skillplane\/previous-[^/]+\/\d[^/]*\/$/.test(path));
  // One previous version of each skill is kept, and the record lists no other.
  const isOdd = (dir: string): boolean => {
    const [, state = '', parent = '', name = ''] = /^(.*\/)(previous-[^/]+\/)([^/]+)\/$/.exec(dir) ?? [];
    const siblings = kept.filter((other) => other.startsWith(`${state}${parent}`));
    return siblings.length > 1 || !listRecorded(join(root, state)).includes(name);
  };
  const left = all.filter(
    (path) =>
      /\/pending\/.|\.skillplane-|\.lock$/.test(path) ||
      /\.skillplane\/(?!previous-|previous\.yaml$|\.gitignore$)./.test(path),
  );
  const records = all.filter((path) => path.endsWith('.skillplane/previous.yaml')).map((path) => path.slice(0, -13));
  const missing = records.flatMap((state) =>
    listRecorded(join(root, state))
      .filter((name) => !kept.some((dir) => dir.startsWith(state) && dir.endsWith(`/${name}/`)))
      .map((name) => `${state}${name}, which is only in the record`),
  );
  return [...left, ...kept.filter(isOdd), ...missing];
}

/** The folders of previous versions that the record of a state folder lists. */
function listRecorded(state: string): readonly string[] {
  const lock = parseLock(readOr(join(state, 'previous.yaml'), renderLock([])));
  if (!lock.ok) throw new Error(lock.message);
  return lock.skills.map(({ name }) => name);
}

export interface InstalledState {
  readonly locked: LockedSkill;
  /** The digest of the folder on disk. */
  readonly digest: string;
  readonly tracked: { readonly url: string; readonly ref?: string; readonly enabled: boolean } | undefined;
}

/** The installed skills by name, from lock, configuration and disk; throws if these disagree. */
export function readInstalled(home: string): Readonly<Record<string, InstalledState>> {
  const agent = join(home, '.agent');
  const lock = parseLock(readOr(join(agent, 'skills-lock.yaml'), renderLock([])));
  if (!lock.ok) throw new Error(lock.message);
  const config = parse(readOr(join(agent, 'config.yaml'), '')) as {
    readonly skills?: { readonly plugins?: readonly (InstalledState['tracked'] & { readonly name: string })[] };
  } | null;
  const tracked = config?.skills?.plugins ?? [];
  const folders = existsSync(join(agent, 'plugins')) ? readdirSync(join(agent, 'plugins')) : [];
  const names = lock.skills.map(({ name }) => name).sort();
  for (const others of [tracked.map(({ name }) => name), folders.filter((name) => name !== '.skillplane')])
    if (others.toSorted().join() !== names.join()) throw new Error(`${names.join()} in the lock, not ${others.join()}`);
  return Object.fromEntries(
    lock.skills.map((locked) => {
      const found = digestFolder(openSkillFolder(join(agent, 'plugins', locked.name)));
      if (!found.ok) throw new Error(found.message);
      if (found.digest !== locked.digest) throw new Error(`${locked.name} is not what the lock says`);
      return [locked.name, { locked, digest: found.digest, tracked: tracked.find(({ name }) => name === locked.name) }];
    }),
  );
}

function readOr(path: string, otherwise: string): string {
  return existsSync(path) ? readFileSync(path, 'utf8') : otherwise;
}
