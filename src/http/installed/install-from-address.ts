import type { InstallDecisions, InstallPreview, RepositorySkill } from '../../install.ts';
import { fail } from '../../model/outcome.ts';
import type { JobAnswer, Working } from '../console-context.ts';
import type { InstallLook, PreviewRow } from '../wire/installed.ts';
import { openInstaller } from './list-installed.ts';

/** Fetches an address and shows what it would install; installs nothing. Of several skills, the person picks first. */
export const lookAtAddress: JobAnswer<'install/look'> = async (context, { url, scope, skills }, working) => {
  const offered: RepositorySkill[] = [];
  const seen: InstallPreview[] = [];
  const decisions: InstallDecisions = {
    async pick(found) {
      offered.push(...found);
      return undefined;
    },
    async confirm(preview) {
      seen.push(preview);
      return false;
    },
    onProgress: reportTo(working),
  };
  const { signal } = working;
  const done = await openInstaller(context, scope).install({ url, skills: given(skills), signal }, decisions);
  const [preview] = seen;
  if (!done.ok && preview === undefined && offered.length === 0) return done;
  const look: InstallLook = {
    offered: offered.map(({ name, description, path }) => ({ name, description, path })),
    from: preview?.from ?? null,
    choice: preview?.choice ?? null,
    skills: (preview?.skills ?? []).map(toRow),
    skipped: (preview?.skipped ?? []).map(({ name, message }) => `${name}: ${message}`),
    notices: preview?.notices ?? [],
  };
  return { ok: true, ...look };
};

function given(skills: readonly string[]): readonly string[] | undefined {
  return skills.length === 0 ? undefined : skills;
}

function toRow({ skill, entry, audit, refused, conflict }: InstallPreview['skills'][number]): PreviewRow {
  return {
    name: entry.name,
    description: skill.description,
    digest: entry.digest,
    files: entry.files.length,
    verdict: audit.verdict,
    findings: audit.lines,
    isRefused: refused.length > 0,
    conflict: conflict?.phrase ?? null,
  };
}

/** Installs skills in the state that the person saw. */
export const installFromAddress: JobAnswer<'install/apply'> = async (context, input, working) => {
  const { url, scope, skills, digests } = input;
  let isOther = false;
  const decisions: InstallDecisions = {
    async confirm(preview) {
      isOther = preview.skills.some(({ entry }) => !digests.includes(entry.digest));
      return !isOther;
    },
    onProgress: reportTo(working),
  };
  const request = { url, skills: given(skills), replace: true, signal: working.signal };
  const done = await openInstaller(context, scope).install(request, decisions);
  if (isOther) return fail('INSTALL_FAILED', 'the skills have changed since you looked', 'Look again.');
  if (!done.ok) return done;
  await context.announce();
  return { ok: true, installed: done.installed.map(({ name }) => name) };
};

const STEPS = { fetch: 'Fetching', check: 'Checking', write: 'Writing' } as const;

function reportTo({ report }: Working): NonNullable<InstallDecisions['onProgress']> {
  return ({ phase, percent }) => report({ step: STEPS[phase], percent });
}
