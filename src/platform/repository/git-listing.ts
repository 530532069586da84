import { fail, type Failure, type Outcome } from '../../model/outcome.ts';
import { openOwnFile } from '../files/open-file.ts';
import { LIST_TREE, MAX_LISTING_BYTES, type Git } from './git-run.ts';
import { openTreeListing, type TreeListing, type TreeEntry, type TreeEntryKind } from './repository.ts';

const LISTING_TIMEOUT_MS = 60_000;

/** All files of a commit. */
export type CommitListing = Outcome<{ readonly listing: TreeListing }>;

/** Lists all files of a commit; `name` is its id, or a ref of ours. */
export async function listCommit(git: Git, name: string): Promise<CommitListing> {
  const listed = await git.run([...LIST_TREE, name], {
    maxOutputBytes: MAX_LISTING_BYTES,
    timeoutMs: LISTING_TIMEOUT_MS,
  });
  if (listed.ended === 'output') return TOO_MANY;
  if (listed.ended !== 'exited' || listed.exitCode !== 0) return UNLISTED;
  return parseListing(listed.stdout);
}

/** Reads the listing that git has written to a file. */
export function readListing(path: string): CommitListing {
  using file = openOwnFile(path);
  if (file === undefined) return UNLISTED;
  if (file.size > MAX_LISTING_BYTES) return TOO_MANY;
  const bytes = file.read(0, file.size);
  return bytes === undefined ? UNLISTED : parseListing(Buffer.from(bytes.buffer).toString());
}

const TOO_MANY: Failure = fail('INSTALL_FAILED', 'the repository has too many files');
const UNLISTED: Failure = fail('INSTALL_FAILED', 'git could not list the files of the repository');

function parseListing(text: string): CommitListing {
  return { ok: true, listing: openTreeListing(text.split('\0').slice(0, -1).map(parseEntry)) };
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
