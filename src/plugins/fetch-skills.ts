import type { Diagnostic } from '../model/diagnostic.ts';
import { fail, type Outcome } from '../model/outcome.ts';
import type { FetchOptions } from '../platform/git-address.ts';
import { fetchRepository } from '../platform/git.ts';
import type { Repository } from '../platform/repository.ts';
import { findSkills, type FoundSkill } from './find-skills.ts';
import type { RepositoryAddress } from './repository-url.ts';

/** A repository with the skills that are in it; nothing of it is checked out. Whoever gets it closes it. */
export interface FetchedSkills {
  readonly repository: Repository;
  readonly skills: readonly FoundSkill[];
  /** About every SKILL.md that gives no skill, and every flaw of those that do. */
  readonly diagnostics: readonly Diagnostic[];
}

export async function fetchSkills(address: RepositoryAddress, options: FetchOptions): Promise<Outcome<FetchedSkills>> {
  const fetched = await fetchRepository(address, options);
  if (!fetched.ok) return fetched;
  const { repository } = fetched;
  const found = await findIn(repository, address);
  if (!found.ok) await repository.close();
  return found;
}

async function findIn(
  repository: Repository,
  { path, name, display }: RepositoryAddress,
): Promise<Outcome<FetchedSkills>> {
  const listed = await repository.listTree();
  if (!listed.ok) return listed;
  const { skills, diagnostics } = await findSkills({
    entries: listed.entries,
    read: (id, maxBytes) => repository.readBlob(id, maxBytes),
    repositoryName: name,
    path,
  });
  if (skills.length > 0) return { ok: true, repository, skills, diagnostics };
  return fail('SKILL_NOT_FOUND', `${display} holds no skill${explain(diagnostics)}`);
}

const MAX_NAMED = 5;

function explain(diagnostics: readonly Diagnostic[]): string {
  if (diagnostics.length === 0) return ': no folder in the usual places has a SKILL.md';
  const named = diagnostics.slice(0, MAX_NAMED).map(({ path, message }) => `${path}: ${message}`);
  const more = diagnostics.length - named.length;
  return `; ${[...named, ...(more > 0 ? [`and ${more} more`] : [])].join('; ')}`;
}
