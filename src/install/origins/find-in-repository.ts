import type { Diagnostic } from '../../model/diagnostic.ts';
import { listSome } from '../../model/list-some.ts';
import { fail, type Outcome } from '../../model/outcome.ts';
import type { Repository } from '../../platform/repository/repository.ts';
import { findSkills, type FoundSkill } from './find-skills.ts';
import type { RepositoryAddress } from './repository-url.ts';

/** The skills of a repository. */
export interface RepositorySkills {
  readonly skills: readonly FoundSkill[];
  /** About every SKILL.md that gives no skill, and every flaw of those that do. */
  readonly diagnostics: readonly Diagnostic[];
}

/** Finds at least one, or says why there is none. */
export async function findInRepository(
  repository: Repository,
  { path, name, display }: RepositoryAddress,
): Promise<Outcome<RepositorySkills>> {
  const listed = await repository.listTree();
  if (!listed.ok) return listed;
  const { skills, diagnostics } = await findSkills({
    entries: listed.entries,
    read: (id, maxBytes) => repository.readBlob(id, maxBytes),
    repositoryName: name,
    path,
  });
  if (skills.length > 0) return { ok: true, skills, diagnostics };
  return fail('SKILL_NOT_FOUND', `${display} holds no skill${explain(diagnostics)}`);
}

const MAX_NAMED = 5;

function explain(diagnostics: readonly Diagnostic[]): string {
  if (diagnostics.length === 0) return ': no folder in the usual places has a SKILL.md';
  const named = diagnostics.map(({ path, message }) => `${path}: ${message}`);
  return `; ${listSome(named, { most: MAX_NAMED, separator: '; ' })}`;
}
