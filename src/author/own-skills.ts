import { dirname } from 'node:path';

import { listCopies, type Catalog } from '../catalog/catalog.ts';
import { findSkill } from '../catalog/find.ts';
import { fail, type Failure, type Outcome } from '../model/outcome.ts';
import type { Skill } from '../model/skill.ts';
import type { SourceRoot } from '../model/source.ts';
import { foldName } from '../parse/name-rules.ts';
import { exists, realPath } from '../platform/files/files.ts';

export interface WriteOptions {
  /** In the project's `.agent/skills` instead of the user's directory; false. */
  readonly project?: boolean | undefined;
}

/**
 * Where a new skill goes: the user's directory, or the project's, which as for installing is the closest with an `.agent`,
 * else the repository's root.
 */
export function findRoot(
  { roots }: Catalog,
  { project = false }: WriteOptions,
): Outcome<{ readonly root: SourceRoot }> {
  const own = roots.filter(({ id }) => id === (project ? 'project' : 'user'));
  const root = own.find(({ path }) => exists(dirname(path))) ?? own.at(-1);
  return root === undefined
    ? switchedOff(project ? "the project's .agent/skills" : 'your own directory')
    : { ok: true, root };
}

export function switchedOff(which: string): Failure {
  return fail('STORE_FAILED', `skills are not looked for in ${which}; see disabledSources in config.yaml`);
}

/** Skills of any source that have this name, or nearly: one would shadow the other, or take its folder. */
export function findNamesakes(catalog: Catalog, name: string): readonly Skill[] {
  const folded = foldName(name.trim());
  return listCopies(catalog).filter((skill) => foldName(skill.id) === folded || foldName(skill.name) === folded);
}

export function explainTaken({ name, file, source }: Skill): Failure {
  return fail('ALREADY_EXISTS', `the skill "${name}" exists already: ${file} (source ${source})`);
}

/** By real paths: one directory may be two sources. */
export function liesIn({ dir }: Skill, { path }: SourceRoot): boolean {
  return dirname(dir) === path || realPath(dirname(dir)) === realPath(path);
}

interface OwnSkill {
  readonly skill: Skill;
  readonly root: SourceRoot;
}

const USER_SOURCES = ['user', 'agent-written'];

/** A skill that was stored here; of another it is said whose it is. */
export function findOwn(catalog: Catalog, name: string, { project = false }: WriteOptions): Outcome<OwnSkill> {
  const sources = project ? ['project'] : USER_SOURCES;
  const copies = listCopies(catalog).filter(({ source }) => sources.includes(source));
  const found = findSkill(copies, name);
  if (!found.ok) {
    const other = findSkill(catalog.skills, name);
    return other.ok ? explainForeign(other.skill) : other;
  }
  const { skill } = found;
  const root = catalog.roots.find(({ id, path }) => id === skill.source && path === dirname(skill.dir));
  return root === undefined ? fail('SKILL_NOT_FOUND', `the skill "${name}" is gone`) : { ok: true, skill, root };
}

function explainForeign({ name, source, file }: Skill): Failure {
  return fail('PATH_REFUSED', `the skill "${name}" is not stored here: it is of the source ${source}, ${file}`);
}
