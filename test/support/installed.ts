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
  const left = all.filter(
    (path) => /\/pending\/.|\.skillplane-|\.lock$/.test(path) || /\.skillplane\/(?!previous-|\.gitignore$)./.test(path),
  );
  return [...left, ...findOddVersions(root, all)];
}

/** Folders that hold anything but one previous version of a skill: its files and its entry. */
function findOddVersions(root: string, all: readonly string[]): readonly string[] {
  const folders = all.filter((path) => /\.skillplane\/previous-[^/]+\/$/.test(path));
  return folders.filter((folder) => !/^(\d+),\1\.yaml$/.test(readdirSync(join(root, folder)).sort().join()));
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
