import type { ForeignSkill } from '../../model/foreign-skill.ts';
import type { Origin } from '../../model/origin.ts';
import { fail, type Outcome } from '../../model/outcome.ts';
import { realPath } from '../../platform/files/files.ts';
import { openFolderRepository } from '../../platform/repository/folder-repository.ts';
import { isCommitId } from '../../platform/repository/git-ref.ts';
import type { Repository } from '../../platform/repository/repository.ts';
import { recordDirectory, type InstallPlace } from '../install-place.ts';
import { readTree } from '../staging/stage-tree.ts';
import type { OpenOrigin, OriginOptions } from './origin-kind.ts';
import { resolveOrigin } from './origin-kinds.ts';

/** A skill of another tool with its files, and the origin that the lock is to record. */
export interface ForeignContent {
  readonly skill: ForeignSkill;
  readonly files: Repository;
  readonly digest: string;
  readonly origin: Origin;
  /** Its folder there. */
  readonly path: string;
  /** Why the folder on this machine is recorded, and not the origin that the tool names. */
  readonly because?: string | undefined;
}

export interface ForeignReader extends AsyncDisposable {
  /** Reads a skill, and asks its origin whether it has the same files. */
  read(skill: ForeignSkill): Promise<Outcome<ForeignContent>>;
}

/** Reads skills of other tools. Each origin is asked once. */
export function openForeignReader(options: OriginOptions & { readonly place: InstallPlace }): ForeignReader {
  const asked = new Map<string, ReturnType<typeof resolveOrigin>>();
  const ask = (address: string, ref: string | undefined): ReturnType<typeof resolveOrigin> => {
    const key = JSON.stringify([address, ref]);
    const answer = asked.get(key) ?? resolveOrigin(address, { ...options, ref });
    asked.set(key, answer);
    return answer;
  };
  return {
    async read(skill) {
      const dir = realPath(skill.folder);
      if (dir === undefined) return fail('SKILL_NOT_FOUND', `${skill.folder} does not exist`);
      const opened = openFolderRepository(dir);
      if (!opened.ok) return opened;
      const own = withoutMark(opened.repository, skill);
      const tree = await readTree(own, '');
      if (!tree.ok) return tree;
      const named = await findNamed(skill, tree.digest, ask);
      if (named.ok) return { ok: true, skill, files: own, digest: tree.digest, origin: named.origin, path: named.path };
      // A directory is read with all of its files at the next update, too.
      const whole = await readTree(opened.repository, '');
      if (!whole.ok) return whole;
      const origin = { kind: 'directory', url: recordDirectory(dir, options.place) } as const;
      const { digest } = whole;
      return { ok: true, skill, files: opened.repository, digest, origin, path: '', because: named.message };
    },
    async [Symbol.asyncDispose]() {
      for (const answer of asked.values()) {
        const resolved = await answer;
        if (resolved.ok) await resolved.opened[Symbol.asyncDispose]();
      }
    },
  };
}

type Ask = (address: string, ref: string | undefined) => Promise<Outcome<{ readonly opened: OpenOrigin }>>;

/** The origin that the tool names, if it has exactly the files that are here. */
async function findNamed(
  { tool, from }: ForeignSkill,
  digest: string,
  ask: Ask,
): Promise<Outcome<{ readonly origin: Origin; readonly path: string }>> {
  if (from === undefined) return fail('INSTALL_FAILED', `${tool} does not record where it came from`);
  const { address, ref, commit, path } = from;
  if (commit !== undefined && !isCommitId(commit)) return fail('INSTALL_FAILED', 'the recorded commit is not a commit');
  const resolved = await ask(address, commit ?? ref);
  if (!resolved.ok) return resolved;
  const { files, originOf } = resolved.opened;
  const tree = await readTree(files, path);
  if (!tree.ok) return tree;
  if (tree.digest !== digest) return fail('INSTALL_FAILED', `${address} has other files than the folder here`);
  const chosen = originOf(path);
  if (!chosen.ok) return chosen;
  const { ref: _asked, ...origin } = chosen.origin;
  return { ok: true, origin: ref === undefined ? origin : { ...origin, ref }, path };
}

/** The files without the one that openskills adds to each skill. */
function withoutMark(files: Repository, { tool }: ForeignSkill): Repository {
  if (tool !== 'openskills') return files;
  return {
    ...files,
    async listTree(path) {
      const listed = await files.listTree(path);
      return listed.ok
        ? { ok: true, entries: listed.entries.filter((entry) => entry.path !== '.openskills.json') }
        : listed;
    },
  };
}
