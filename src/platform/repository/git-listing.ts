import { fail, type Outcome } from '../../model/outcome.ts';
import type { Git } from './git-run.ts';
import { openTreeListing, type TreeListing, type TreeEntry, type TreeEntryKind } from './repository.ts';

/** Enough for some hundred thousand files. */
const MAX_LISTING_BYTES: number = 48 * 1024 * 1024;
const LISTING_TIMEOUT_MS = 60_000;

/** Lists all files of a commit; `name` is its id, or a ref of ours. */
export async function listCommit(git: Git, name: string): Promise<Outcome<{ readonly listing: TreeListing }>> {
  const listed = await git.run(['ls-tree', '-r', '-l', '-z', '--full-tree', name], {
    maxOutputBytes: MAX_LISTING_BYTES,
    timeoutMs: LISTING_TIMEOUT_MS,
  });
  if (listed.ended === 'output') return fail('INSTALL_FAILED', 'the repository has too many files');
  if (listed.ended !== 'exited' || listed.exitCode !== 0)
    return fail('INSTALL_FAILED', 'git could not list the files of the repository');
  return { ok: true, listing: openTreeListing(listed.stdout.split('\0').slice(0, -1).map(parseEntry)) };
}

/** Parses `<mode> <type> <id> <size>\t<path>`; spaces precede the size. */
function parseEntry(line: string): TreeEntry {
  const tab = line.indexOf('\t');
  const [mode = '', , id = '', size = ''] = line.slice(0, tab).split(/ +/);
  const kind = KINDS[mode] ?? 'other';
  return {
    path: line.slice(tab + 1),
    kind,
    executable: mode === '100755',
    size: kind === 'file' ? Number(size) : 0,
    id,
  };
}

const KINDS: Readonly<Record<string, TreeEntryKind>> = {
  '100644': 'file',
  '100755': 'file',
  '120000': 'link',
  '160000': 'submodule',
};
