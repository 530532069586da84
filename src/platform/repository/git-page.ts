import type { GitAddress } from './git-address.ts';
import { findRefFault } from './git-ref.ts';
import type { Git } from './git-run.ts';

/** The branch or tag and the folder that a web page of a repository shows. */
export interface RepositoryPage {
  readonly ref: string;
  readonly path: string | undefined;
}

/** A branch whose name has more parts is not found. */
const MAX_PARTS = 20;

/**
 * Asks the remote where the branch ends and the folder begins: `feature/x/skills` may be the branch `feature/x`. The longest
 * branch or tag counts; undefined if the remote has none of them, or cannot be asked.
 */
export async function findPage(git: Git, { url, ref, path }: GitAddress): Promise<RepositoryPage | undefined> {
  const parts = [ref ?? '', ...(path ?? '').split('/')];
  const candidates = parts
    .slice(0, MAX_PARTS)
    .map((_, at) => ({ ref: parts.slice(0, at + 1).join('/'), path: parts.slice(at + 1).join('/') || undefined }))
    .filter((page) => findRefFault(page.ref) === undefined);
  const names = candidates.flatMap((page) => [`refs/heads/${page.ref}`, `refs/tags/${page.ref}`]);
  if (names.length === 0) return undefined;
  const asked = await git.run(['ls-remote', '--upload-pack=git-upload-pack', '--end-of-options', url, ...names]);
  if (asked.ended !== 'exited' || asked.exitCode !== 0) return undefined;
  const known = new Set(asked.stdout.split('\n').map((line) => line.split('\t')[1]));
  return candidates.findLast((page) => known.has(`refs/heads/${page.ref}`) || known.has(`refs/tags/${page.ref}`));
}
