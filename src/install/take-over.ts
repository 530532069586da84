import type { Diagnostic } from '../model/diagnostic.ts';
import type { ForeignSkill } from '../model/foreign-skill.ts';
import { nameChoice, showAddress } from '../model/origin.ts';
import { fail, type Outcome } from '../model/outcome.ts';
import { realPath } from '../platform/files/files.ts';
import type { TreeEntry } from '../platform/repository/repository.ts';
import type { ChangeContext } from './changes/skill-change.ts';
import { installFetched } from './install-fetched.ts';
import type { InstallDecisions, InstallReport, InstallRequest } from './install-request.ts';
import { openForeignReader, type ForeignContent } from './origins/foreign-origin.ts';
import type { OpenOrigin } from './origins/origin-kind.ts';
import { readInstalled } from './read-installed.ts';

export type TakeOverRequest = Pick<InstallRequest, 'allow' | 'useGitCredentials' | 'signal'> & {
  readonly skills: readonly ForeignSkill[];
};

/**
 * Installs copies of skills that other tools have installed, with their origins. The files of these tools stay as they are.
 * A skill that cannot be taken over is skipped.
 */
export async function takeOver(
  { skills, ...request }: TakeOverRequest,
  decisions: InstallDecisions,
  context: ChangeContext,
): Promise<Outcome<InstallReport>> {
  const { environment, place, state } = context;
  const { useGitCredentials, signal } = request;
  const installed = readInstalled(place);
  if (!installed.ok) return installed;
  await using reader = openForeignReader({ environment, place, into: state.dir, useGitCredentials, signal });
  const contents: ForeignContent[] = [];
  const present: string[] = [];
  const diagnostics: Diagnostic[] = [];
  for (const [at, skill] of skills.entries()) {
    decisions.onProgress?.({ phase: 'fetch', percent: Math.round((100 * at) / skills.length) });
    if (signal?.aborted === true) return fail('INSTALL_FAILED', 'it was cancelled; nothing was installed');
    const read = await reader.read(skill);
    if (!read.ok) diagnostics.push(unreadable(skill, read.message));
    else if (installed.skills.some(({ name, digest }) => name === skill.name && digest === read.digest))
      present.push(skill.name);
    else contents.push(read);
  }
  if (contents.length === 0 && present.length > 0)
    return { ok: true, ...NOTHING_FETCHED, diagnostics, installed: [], present };
  const done = await installFetched(
    openTogether(contents, diagnostics),
    { ...request, url: '', all: true },
    { ...context, decisions: { ...decisions, rename: keepOwn(contents, decisions.rename) } },
  );
  return done.ok ? { ...done, present: [...present, ...done.present] } : done;
}

const FROM = 'other tools';
const NOTHING_FETCHED = { from: FROM, choice: undefined, commit: undefined, notices: [], skipped: [] };

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

/** All skills as one origin, each in a folder whose name is its number. */
function openTogether(contents: readonly ForeignContent[], diagnostics: readonly Diagnostic[]): OpenOrigin {
  const found = contents.map(({ skill: { name } }, at) => {
    return { name, path: String(at), file: `${at}/SKILL.md`, description: '' };
  });
  const missing = fail('SKILL_NOT_FOUND', 'there is no such folder');
  const close = async (): Promise<void> => undefined;
  return {
    display: FROM,
    url: '',
    notices: contents.map(describeOrigin),
    choice: undefined,
    originOf(number) {
      const content = contents[Number(number)];
      return content === undefined ? missing : { ok: true, origin: content.origin, path: content.path };
    },
    find: async () => ({ ok: true, skills: found, diagnostics }),
    files: {
      commit: undefined,
      notices: [],
      async listTree(number = '') {
        const listed = await contents[Number(number)]?.files.listTree();
        const move = (entry: TreeEntry): TreeEntry => {
          return { ...entry, path: `${number}/${entry.path}`, id: `${number}/${entry.id}` };
        };
        return listed?.ok === true ? { ok: true, entries: listed.entries.map(move) } : (listed ?? missing);
      },
      async readBlob(id, maxBytes) {
        const cut = id.indexOf('/');
        return (await contents[Number(id.slice(0, cut))]?.files.readBlob(id.slice(cut + 1), maxBytes)) ?? missing;
      },
      close,
      [Symbol.asyncDispose]: close,
    },
    [Symbol.asyncDispose]: close,
  };
}

/** One line of the list: which tool knows the skill, and the origin that is recorded. */
function describeOrigin({ skill: { name, tool }, origin, because }: ForeignContent): string {
  const choice = nameChoice(origin);
  const recorded = `${showAddress(origin)}${choice === undefined ? '' : ` at ${choice}`}`;
  return `${name}, from ${tool}: ${recorded}${because === undefined ? '' : ` (the folder here, since ${because})`}`;
}
