import type { Diagnostic } from '../model/diagnostic.ts';
import type { ForeignSkill } from '../model/foreign-skill.ts';
import { nameChoice, showAddress, type Origin } from '../model/origin.ts';
import { fail, type Outcome } from '../model/outcome.ts';
import { realPath } from '../platform/files/files.ts';
import { openFolderRepository } from '../platform/repository/folder-repository.ts';
import { isCommitId } from '../platform/repository/git-ref.ts';
import type { Repository } from '../platform/repository/repository.ts';
import { openAuditGate } from './audit-gate.ts';
import type { ChangeContext } from './changes/skill-change.ts';
import { earlierPlace, recordDirectory, type InstallPlace } from './install-place.ts';
import { readInstalled } from './install-record.ts';
import type { InstallDecisions, InstallReport, InstallOptions } from './install-request.ts';
import { CANCELLED, explainNone, installPicked } from './install-skills.ts';
import { resolveOrigin } from './origins/origin-kinds.ts';
import type { PickedSkill } from './staging/name-skills.ts';
import { readTree } from './staging/read-tree.ts';

export type TakeOverRequest = Pick<InstallOptions, 'allow' | 'useGitCredentials' | 'signal'> & {
  readonly skills: readonly ForeignSkill[];
};

/**
 * Installs copies of skills that other tools installed, with their origins. The tools' own files, perhaps in a
 * project's `.agents/skills`, stay unchanged. Skills that cannot be imported are skipped.
 */
export async function takeOver(
  { skills, allow, useGitCredentials, signal }: TakeOverRequest,
  decisions: InstallDecisions,
  context: ChangeContext,
): Promise<Outcome<InstallReport>> {
  const { environment, place, work, isOwnAddress } = context;
  const installed = readInstalled(place);
  if (!installed.ok) return installed;
  await using origins = openOnce((address, ref) =>
    resolveOrigin(address, { environment, place, into: work.dir, ref, useGitCredentials, signal, isOwnAddress }),
  );
  const contents: ForeignContent[] = [];
  const present: string[] = [];
  const diagnostics: Diagnostic[] = [];
  for (const [at, skill] of skills.entries()) {
    decisions.onProgress?.({ phase: 'fetch', percent: Math.round((100 * at) / skills.length) });
    if (signal?.aborted === true) return CANCELLED;
    const read = await readForeign(skill, origins.open, place);
    if (!read.ok) diagnostics.push(unreadable(skill, read.message));
    else if (installed.skills.some(({ name, digest }) => name === skill.name && digest === read.digest))
      present.push(skill.name);
    else contents.push(read);
  }
  const facts = { from: 'other tools', choice: undefined, commit: undefined, diagnostics };
  if (contents.length === 0)
    return present.length === 0
      ? explainNone(facts.from, diagnostics)
      : { ok: true, ...facts, notices: [], skipped: [], installed: [], present };
  const done = await installPicked(
    contents.map(toPicked),
    { ...facts, notices: contents.map(describeOrigin) },
    {
      ...context,
      place: earlierPlace(place),
      gate: openAuditGate(context, allow),
      request: { all: true, signal },
      decisions: { ...decisions, rename: keepOwn(contents, decisions.rename) },
    },
  );
  return done.ok ? { ...done, present: [...present, ...done.present] } : done;
}

type OpenAddress = (address: string, ref: string | undefined) => ReturnType<typeof resolveOrigin>;

/** Opens each address once, and closes all of them together. */
function openOnce(open: OpenAddress): AsyncDisposable & { readonly open: OpenAddress } {
  const answers = new Map<string, ReturnType<OpenAddress>>();
  return {
    open(address, ref) {
      const key = JSON.stringify([address, ref]);
      const answer = answers.get(key) ?? open(address, ref);
      answers.set(key, answer);
      return answer;
    },
    async [Symbol.asyncDispose]() {
      for (const answer of answers.values()) {
        const resolved = await answer;
        if (resolved.ok) await resolved.opened[Symbol.asyncDispose]();
      }
    },
  };
}

/** A skill of another tool with its files, and the origin that the lock is to record. */
interface ForeignContent {
  readonly skill: ForeignSkill;
  readonly files: Repository;
  readonly digest: string;
  readonly origin: Origin;
  /** Its folder in the origin. */
  readonly path: string;
  /** Why the folder on this machine is recorded, and not the origin that the tool names. */
  readonly because?: string | undefined;
}

/** Reads a skill from its folder, and asks its origin whether it has the same files. */
async function readForeign(
  skill: ForeignSkill,
  open: OpenAddress,
  place: InstallPlace,
): Promise<Outcome<ForeignContent>> {
  const dir = realPath(skill.folder);
  if (dir === undefined) return fail('SKILL_NOT_FOUND', `${skill.folder} does not exist`);
  const opened = openFolderRepository(dir);
  if (!opened.ok) return opened;
  const files = withoutMark(opened.repository, skill);
  const tree = await readTree(files, '');
  if (!tree.ok) return tree;
  const named = await findNamed(skill, tree.digest, open);
  if (named.ok) return { ok: true, skill, files, digest: tree.digest, origin: named.origin, path: named.path };
  // The next update also reads all files of a directory.
  const whole = await readTree(opened.repository, '');
  if (!whole.ok) return whole;
  const origin = { kind: 'directory', url: recordDirectory(dir, place) } as const;
  const { digest } = whole;
  return { ok: true, skill, files: opened.repository, digest, origin, path: '', because: named.message };
}

/** The origin that the tool names, if it has exactly the files that are here. */
async function findNamed(
  { tool, from }: ForeignSkill,
  digest: string,
  open: OpenAddress,
): Promise<Outcome<{ readonly origin: Origin; readonly path: string }>> {
  if (from === undefined) return fail('INSTALL_FAILED', `${tool} does not record where it came from`);
  const { address, ref, commit, path } = from;
  if (commit !== undefined && !isCommitId(commit)) return fail('INSTALL_FAILED', 'the recorded commit is not a commit');
  const resolved = await open(address, commit ?? ref);
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

function toPicked({ skill: { name }, files, origin, path }: ForeignContent): PickedSkill {
  const originOf: PickedSkill['origin']['originOf'] = () => ({ ok: true, origin, path });
  return { name, path: '', file: 'SKILL.md', description: '', origin: { files, originOf } };
}

function unreadable({ folder, name, tool }: ForeignSkill, message: string): Diagnostic {
  return { code: 'FILE_UNREADABLE', severity: 'warning', path: folder, message: `${name} of ${tool}: ${message}` };
}

/** The folder of the other tool may be in the catalog already: its name is no conflict. */
function keepOwn(contents: readonly ForeignContent[], rename: InstallDecisions['rename']): InstallDecisions['rename'] {
  return async (name, why, conflict) => {
    const taken = conflict && realPath(conflict.dir);
    const isOwn = contents.some(({ skill }) => skill.name === name && realPath(skill.folder) === taken);
    return conflict !== undefined && taken !== undefined && isOwn ? name : rename?.(name, why, conflict);
  };
}

/** One line of the list: which tool knows the skill, and the origin that is recorded. */
function describeOrigin({ skill: { name, tool }, origin, because }: ForeignContent): string {
  const choice = nameChoice(origin);
  const recorded = `${showAddress(origin)}${choice === undefined ? '' : ` at ${choice}`}`;
  return `${name}, from ${tool}: ${recorded}${because === undefined ? '' : ` (the folder here, since ${because})`}`;
}
