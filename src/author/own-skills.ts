import { dirname, join } from 'node:path';

import { failBroken, isBroken } from '../catalog/broken.ts';
import { listCopies, type Catalog } from '../catalog/catalog.ts';
import { findSkill } from '../catalog/find.ts';
import { changeableByAgent } from '../catalog/view.ts';
import { isSourceNamed } from '../config/source-names.ts';
import { PROJECT_SKILLS } from '../model/lock.ts';
import { fail, type Failure, type Outcome } from '../model/outcome.ts';
import type { Skill } from '../model/skill.ts';
import type { SourceRoot } from '../model/source.ts';
import { foldName } from '../parse/name-rules.ts';
import { exists } from '../platform/files/files.ts';

export interface WriteOptions {
  /** Writes into the project instead of the user's directory: new skills go into `.agents/skills`. False by default. */
  readonly project?: boolean | undefined;
  /**
   * `agent`: the writer is a model. New skills go to `agentSkillsDir` with `creator: agent`, and only skills that say so
   * can be changed or removed, judged by the very file under its lock. By default, the user.
   */
  readonly by?: 'user' | 'agent' | undefined;
}

/**
 * Folder for a new skill: the user's or the project's. The project is the closest folder with `.agent` or
 * `.agents/skills`, or else the repository root, as for `install`.
 */
export function findRoot(
  { roots, reading }: Catalog,
  { project = false }: WriteOptions,
): Outcome<{ readonly root: SourceRoot }> {
  const source = project ? 'agents-project' : 'user';
  const own = roots.filter(({ id }) => id === source);
  const isOurs = ({ path }: SourceRoot): boolean => exists(path) || exists(join(dirname(dirname(path)), '.agent'));
  const root = own.find(isOurs) ?? own.at(-1);
  if (root !== undefined) return { ok: true, root };
  const which = project ? `the project's ${PROJECT_SKILLS}` : 'your own directory';
  if (isSourceNamed(source, reading.config.disabledSources)) return switchedOff(which);
  return fail('STORE_FAILED', `${which} is not among the folders that were opened`);
}

/** The folder that agents write to. */
export function findAgentRoot({ roots, reading, writesTo }: Catalog): Outcome<{ readonly root: SourceRoot }> {
  const { agentSkillsDir, disabledSources } = reading.config;
  const root = writesTo ?? roots.find(({ path, level }) => path === agentSkillsDir && level === 'user');
  if (root !== undefined) return { ok: true, root };
  if (['user', 'agent-written'].some((id) => isSourceNamed(id, disabledSources))) return switchedOff(agentSkillsDir);
  return fail('STORE_FAILED', 'there is no folder for skills that agents write', {
    ask: 'user',
    to: 'Name one in the program: `forAgent(skills, { writesTo: "./learned" })`, or `await skills.writingTo("./learned")`.',
  });
}

function switchedOff(which: string): Failure {
  return fail('STORE_FAILED', `${which} is turned off as a source`, {
    ask: 'user',
    to: 'Remove it from `disabledSources` in config.yaml.',
  });
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
  const why = skill.unavailableReason ?? 'it cannot be used';
  return fail(
    'ALREADY_EXISTS',
    `the skill "${name}" already exists, but is broken: ${place}: ${why}`,
    failBroken(skill).next,
  );
}

interface OwnSkill {
  readonly skill: Skill;
  readonly root: SourceRoot;
}

const USER_SOURCES = ['user', 'agent-written'];

/**
 * Finds a skill in the user's or the project's directory, or one that an agent wrote in any of the user's folders. For
 * skills elsewhere, the failure names their source.
 */
export function findOwn(catalog: Catalog, name: string, { project = false, by }: WriteOptions): Outcome<OwnSkill> {
  const sources = project ? ['project', 'agents-project'] : USER_SOURCES;
  const isOpen = by === 'agent' && catalog.writesTo !== undefined ? changeableByAgent(catalog) : (): boolean => true;
  const copies = listCopies(catalog).filter(isOpen);
  const first = findSkill(
    copies.filter(({ source }) => sources.includes(source)),
    name,
  );
  const found = first.ok || project ? first : findSkill(copies.filter(changeableByAgent(catalog)), name);
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

/** The parent folder of a skill, if it is a source. */
export function findRootOf({ roots }: Catalog, { source, dir }: Skill): SourceRoot | undefined {
  return roots.find(({ id, path }) => id === source && path === dirname(dir));
}

function explainForeign({ name, source, file }: Skill): Failure {
  return fail('PATH_REFUSED', `cannot change "${name}" here: it is in ${file} (${source})`);
}
