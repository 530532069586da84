import { basename, join } from 'node:path';

import type { Skill } from '../../model/skill.ts';
import type { Environment } from '../../platform/environment.ts';
import { projectRoot } from '../../platform/project.ts';
import { indexFiles } from '../seeing/skill-in-view.ts';
import type { HostView, SeenSkill } from '../seeing/view-host.ts';
import { manifestFile, readSyncManifest, type SyncManifest } from './manifest.ts';

/** A copy of a skill's folder. */
export interface SyncedCopy {
  readonly path: string;
  readonly from: string;
}

/** The copies that were made instead of links, for the user and for the project of the working directory. */
export function listCopied(environment: Environment): readonly SyncedCopy[] {
  const top = projectRoot(environment.cwd);
  return (['user', 'project'] as const).flatMap((scope) => {
    const read = readSyncManifest(manifestFile(environment.agentHome, scope, top));
    return read.ok ? copiesIn(read.manifest) : [];
  });
}

export function copiesIn({ entries }: SyncManifest): readonly SyncedCopy[] {
  return entries.flatMap(({ path, content }) => (content.kind === 'copy' ? [{ path, from: content.from }] : []));
}

/** Looks up what a host makes of a skill, also by a copy of ours; undefined if it does not come across it. */
export function findSynced(
  view: HostView,
  copies: readonly SyncedCopy[],
): (skill: Pick<Skill, 'dir' | 'file'>) => SeenSkill | undefined {
  const find = indexFiles(view);
  return ({ dir, file }) => {
    const copied = copies.filter(({ from }) => from === dir).map(({ path }) => join(path, basename(file)));
    return [file, ...copied].map(find).find((each) => each !== undefined);
  };
}
