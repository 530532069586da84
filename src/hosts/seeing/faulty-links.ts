import { dirname, isAbsolute, join, resolve } from 'node:path';

import { AGENT_IDS, AGENTS } from '../../model/agents.ts';
import { exists, isInside, listDirectory, readOwnText, readStamp, realPath } from '../../platform/files/files.ts';
import { kindAt, readLink } from '../../platform/files/folders.ts';
import { projectDirectories } from '../../platform/project.ts';
import type { HostPlace } from '../host.ts';

/** A link in a project's folder of skills that does not work, or only on this machine. */
export interface FaultyLink {
  readonly path: string;
  readonly target: string;
  /**
   * `text`: git checked it out as a text file. `broken`: the target is missing. `outside`: it points out of the
   * project, or is absolute.
   */
  readonly fault: 'text' | 'broken' | 'outside';
}

/** Finds them in the folders of all agents, and the folders that are links themselves. The home is no project. */
export function findFaultyLinks({ cwd, home }: Pick<HostPlace, 'cwd' | 'home'>): readonly FaultyLink[] {
  const root = realPath(projectDirectories(cwd).at(-1) ?? cwd) ?? cwd;
  if (root === realPath(home)) return [];
  const own = AGENT_IDS.flatMap((id) => AGENTS[id].project ?? []).filter((folder) => folder.startsWith('./.'));
  const folders = ['./.agent/skills', './.agents/skills', ...own].map((folder) => join(root, folder));
  return folders.flatMap((folder) => {
    const fault = judge(folder, root);
    if (fault !== undefined) return [fault];
    const listing = listDirectory(folder);
    if (listing.state !== 'listed' || kindAt(folder) === 'link') return [];
    return listing.entries.flatMap(({ name }) => judge(join(folder, name), root) ?? []);
  });
}

function judge(path: string, root: string): FaultyLink | undefined {
  const kind = kindAt(path);
  if (kind === 'file') {
    const target = readTarget(path);
    return target === undefined ? undefined : { path, target, fault: 'text' };
  }
  if (kind !== 'link') return undefined;
  const target = readLink(path) ?? '';
  const real = realPath(path);
  if (real === undefined) return { path, target, fault: 'broken' };
  return isAbsolute(target) || !isInside(real, root) ? { path, target, fault: 'outside' } : undefined;
}

const MAX_TARGET_BYTES = 4_096;

/** The target of a link that git wrote as text: just a relative path, to a folder. */
function readTarget(path: string): string | undefined {
  const isShort = (readStamp(path)?.size ?? Infinity) <= MAX_TARGET_BYTES;
  const read = isShort ? readOwnText(path) : undefined;
  const text = read?.ok === true ? (read.text ?? '') : '';
  return /^\.{1,2}\/[^\n]+$/.test(text) && exists(resolve(dirname(path), text)) ? text : undefined;
}
