import { listSome } from '../model/list-some.ts';
import { compareText } from '../model/order.ts';
import { fail, type Failure, type Outcome } from '../model/outcome.ts';
import type { Skill } from '../model/skill.ts';
import type { Catalog } from './catalog.ts';

/** Is the skill of one of these sources? `claude` means `claude-user`, `claude-project` and all others of that agent. */
export function isOfSource({ source }: Pick<Skill, 'source'>, sources: readonly string[]): boolean {
  return sources.some((wanted) => source === wanted || source.startsWith(`${wanted}-`));
}

/** A source that is misspelled would look as if it were empty. */
export function findUnknownSource({ roots, off = [] }: Catalog, sources: readonly string[]): Failure | undefined {
  const known = [...new Set([...roots, ...off].map(({ id }) => id))].sort(compareText);
  const unknown = sources.find((wanted) => !known.some((source) => isOfSource({ source }, [wanted])));
  if (unknown === undefined) return undefined;
  if (isOfSource({ source: NPM_SOURCE }, [unknown]))
    return fail('SKILL_NOT_FOUND', `"${unknown}" is off, because no npm package may bring skills`, {
      ask: 'user',
      to: 'Allow one with the setting `npmPackages`.',
    });
  return fail('SKILL_NOT_FOUND', `unknown source "${unknown}"; available: ${known.join(', ')}`);
}

/** It exists only for packages that the configuration names. */
const NPM_SOURCE = 'npm-project';

/** The names of the skills of some sources, broken ones left out. Fails for a source that has none, or whose skills others hide. */
export function listOfSources(
  { skills, shadowed }: Catalog,
  sources: readonly string[],
): Outcome<{ readonly names: readonly string[] }> {
  const empty = sources.find((source) => !skills.some((skill) => isOfSource(skill, [source])));
  if (empty === undefined) {
    const found = skills.filter((skill) => skill.status !== 'broken' && isOfSource(skill, sources));
    return { ok: true, names: found.map(({ name }) => name) };
  }
  const hidden = shadowed.filter((skill) => isOfSource(skill, [empty])).map(({ name }) => `"${name}"`);
  if (hidden.length > 0) {
    const message = `other copies have the names of the skills in the source "${empty}": ${listSome(hidden, { most: 10 })}`;
    return fail('SKILL_NOT_FOUND', message, { either: [{ do: 'show', with: { all: true } }, { do: 'prefer' }] });
  }
  const known = [...new Set(skills.map(({ source }) => source))].sort(compareText).join(', ');
  return fail('SKILL_NOT_FOUND', `no skills in the source "${empty}"; sources with skills: ${known}`);
}
