import { dirname } from 'node:path';

import { failBroken, isBroken } from '../catalog/broken.ts';
import { listCopies, type Catalog } from '../catalog/catalog.ts';
import { findSkill } from '../catalog/find.ts';
import { isChangeableByAgent } from '../catalog/view.ts';
import { fail, type Failure, type Outcome } from '../model/outcome.ts';
import type { Skill } from '../model/skill.ts';
import type { SourceRoot } from '../model/source.ts';
import { foldName } from '../parse/name-rules.ts';
import { exists, realPath } from '../platform/files/files.ts';

export interface WriteOptions {
  /** Uses the project's `.agent/skills` instead of the user's directory; false by default. */
  readonly project?: boolean | undefined;
  /**
   * `agent`: the writer is a model. New skills go to `agentSkillsDir` with `creator: agent`, and only skills that say so
   * can be changed or removed, judged by the very file under its lock. By default, the user.
   */
  readonly by?: 'user' | 'agent' | undefined;
}

/**
 * Where a new skill goes: the user's directory or the project's. As for installing, the project is the closest folder
 * with an `.agent`, else the repository's root.
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
  return fail('STORE_FAILED', `${which} is switched off as a source`, 'See `disabledSources` in the configuration.');
}

/** Skills of any source whose name or folder differs from this name at most by case or Unicode form. */
export function findNamesakes(catalog: Catalog, name: string): readonly Skill[] {
  const folded = foldName(name.trim());
  return listCopies(catalog).filter((skill) => foldName(skill.id) === folded || foldName(skill.name) === folded);
}

export function explainTaken(skill: Skill): Failure {
  const { name, file, source } = skill;
  const place = `${file} (source ${source})`;
  if (!isBroken(skill)) return fail('ALREADY_EXISTS', `the skill "${name}" already exists: ${place}`);
  const { hint } = failBroken(skill);
  return fail('ALREADY_EXISTS', `the skill "${name}" already exists, but is broken: ${place}`, hint);
}

/** Compares real paths, because one directory may be two sources. */
export function belongsTo({ dir }: Skill, { path }: SourceRoot): boolean {
  return dirname(dir) === path || realPath(dirname(dir)) === realPath(path);
}

interface OwnSkill {
  readonly skill: Skill;
  readonly root: SourceRoot;
}

const USER_SOURCES = ['user', 'agent-written'];

/**
 * Finds a skill in the user's or the project's directory, else one that agents wrote into any folder of the user. The
 * failure names the source of a skill found elsewhere.
 */
export function findOwn(catalog: Catalog, name: string, { project = false }: WriteOptions): Outcome<OwnSkill> {
  const sources = project ? ['project'] : USER_SOURCES;
  const copies = listCopies(catalog);
  const first = findSkill(
    copies.filter(({ source }) => sources.includes(source)),
    name,
  );
  const found = first.ok || project ? first : findSkill(copies.filter(isChangeableByAgent), name);
  if (!found.ok) {
    const other = findSkill(catalog.skills, name);
    return other.ok ? explainForeign(other.skill) : other;
  }
  const { skill } = found;
  const root = findRootOf(catalog, skill);
  return root === undefined
    ? fail('SKILL_NOT_FOUND', `the skill "${name}" no longer exists`)
    : { ok: true, skill, root };
}

/** The directory that a skill lies in, if it is the directory of a source. */
export function findRootOf({ roots }: Catalog, { source, dir }: Skill): SourceRoot | undefined {
  return roots.find(({ id, path }) => id === source && path === dirname(dir));
}

function explainForeign({ name, source, file }: Skill): Failure {
  return fail(
    'PATH_REFUSED',
    `the skill "${name}" belongs to the source ${source} and cannot be changed here: ${file}`,
  );
}
