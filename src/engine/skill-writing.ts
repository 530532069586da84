import { dirname } from 'node:path';

import type { SkillChanges, SkillDraft } from '../author/skill-draft.ts';
import type { WriteSkillOptions, Writing, WrittenSkill } from '../author/write-skill.ts';
import { listCopies, type Catalog } from '../catalog/catalog.ts';
import { findSkill } from '../catalog/find.ts';
import { readConfig } from '../config/read-config.ts';
import { fail, type Failure, type Outcome } from '../model/outcome.ts';
import type { ParsedSkill, Skill } from '../model/skill.ts';
import type { SourceRoot } from '../model/source.ts';
import { foldName } from '../parse/name-rules.ts';
import { exists } from '../platform/files.ts';
import { AGENT, isByAgent } from './agent-skills.ts';
import type { SkillCatalog } from './open-catalog.ts';

export type { SkillChanges, SkillDraft, WrittenSkill };

export interface WriteOptions {
  /** In the project's `.agent/skills` instead of the user's directory; false. */
  readonly project?: boolean | undefined;
}

export interface RemoveOptions extends WriteOptions {
  /** Also where the skill's folder holds more than its SKILL.md; false. */
  readonly withFiles?: boolean | undefined;
}

export interface CreateOptions extends WriteOptions {
  /** What the skill brings besides its SKILL.md. */
  readonly files?: WriteSkillOptions['files'];
}

/**
 * Writes and removes skills in the user's own directory or the project's; those of other sources are only read. The
 * catalog is looked at again before and after, so that what was written is found at once.
 */
export interface SkillWriting {
  /**
   * Stores a new skill. `ALREADY_EXISTS` where any source has one of that name, `SKILL_INVALID` where `validate` would
   * find errors. Of a body that begins with a frontmatter of its own, the body alone is taken.
   */
  create(draft: SkillDraft, options?: CreateOptions): Promise<Outcome<WrittenSkill>>;
  /** Changes a skill that was stored here; what is not given stays. */
  update(name: string, changes: SkillChanges, options?: WriteOptions): Promise<Outcome<WrittenSkill>>;
  /** Removes a skill that was stored here, where its folder holds nothing else. */
  remove(name: string, options?: RemoveOptions): Promise<Outcome<{ readonly id: string; readonly path: string }>>;
  /** An agent's writing: `creator: agent`, in `agentSkillsDir`; it changes only what agents wrote. */
  putByAgent(draft: SkillDraft): Promise<Outcome<WrittenSkill>>;
}

export type WritingParts = Pick<SkillCatalog, 'environment' | 'catalog' | 'refresh'>;

export function openSkillWriting({ environment, catalog, refresh }: WritingParts): SkillWriting {
  let last: Promise<unknown> = Promise.resolve();
  /**
   * Every change looks first, for another process may have written since the last look. Changes wait for each other, so
   * that no look of an earlier one comes to an end after that of a later one.
   */
  const afterLook = <T>(work: () => Promise<Outcome<T>>): Promise<Outcome<T>> => {
    const changing = last.then(async () => {
      await refresh();
      const done = await work();
      if (done.ok) await refresh();
      return done;
    });
    last = Promise.allSettled([changing]);
    return changing;
  };
  return {
    create: (draft, { files, ...options } = {}) =>
      afterLook(async () => {
        const source = findRoot(catalog(), options);
        if (!source.ok) return source;
        const other = findNamesake(catalog(), draft.name);
        if (other !== undefined) return explainTaken(other);
        return write(draft, { source: source.root, mode: 'create', files });
      }),
    update: (name, changes, options = {}) =>
      afterLook(async () => {
        const own = findOwn(catalog(), name, options);
        if (!own.ok) return own;
        return write({ ...changes, name: own.skill.id }, { source: own.root, mode: 'update' });
      }),
    remove: (name, options = {}) =>
      afterLook(async () => {
        const own = findOwn(catalog(), name, options);
        if (!own.ok) return own;
        const { removeSkill } = await import('../author/remove-skill.ts');
        return removeSkill(own.skill.id, { source: own.root, withFiles: options.withFiles });
      }),
    putByAgent: (draft) =>
      afterLook(async () => {
        const { config } = await readConfig(environment);
        const root = catalog().roots.find(({ path, level }) => path === config.agentSkillsDir && level === 'user');
        if (root === undefined) return switchedOff(config.agentSkillsDir);
        if (findNamesake(catalog(), draft.name, root) !== undefined) return refuseForeign(draft.name);
        return write(
          { ...draft, description: visibleLine(draft.description), creator: AGENT },
          { source: root, mode: 'put', judge: judgeCreator, maxBytes: MAX_AGENT_SKILL_BYTES },
        );
      }),
  };
}

/** Takes a frontmatter off the body; what it says counts where the writing says nothing. */
async function write(writing: Writing, options: WriteSkillOptions): Promise<Outcome<WrittenSkill>> {
  // Loaded here, so that who only reads skills does not pay for writing them.
  const [{ writeSkill }, { takeOwnFrontmatter }] = await Promise.all([
    import('../author/write-skill.ts'),
    import('../author/own-frontmatter.ts'),
  ]);
  if (writing.body === undefined) return writeSkill(writing, options);
  const { body, given, leftOut } = takeOwnFrontmatter(writing.body);
  const said = Object.fromEntries(Object.entries(writing).filter(([, value]) => value !== undefined));
  const written = await writeSkill({ ...given, ...writing, ...said, body }, options);
  return written.ok && leftOut.length > 0 ? { ...written, leftOut } : written;
}

const MAX_AGENT_SKILL_BYTES: number = 64 * 1024;
/** Joiners belong to emoji and to the spelling of several scripts. */
const FORMAT_CHARACTERS = /(?!\u200C|\u200D)\p{Cf}/gu;

function visibleLine(description: string): string {
  return description
    .replaceAll(FORMAT_CHARACTERS, '')
    .replaceAll(/[\p{Cc}\p{Zl}\p{Zp}\s]+/gu, ' ')
    .trim();
}

function judgeCreator(skill: ParsedSkill): Failure | undefined {
  return isByAgent(skill) ? undefined : refuseForeign(skill.id);
}

function refuseForeign(name: string): Failure {
  return fail('ALREADY_EXISTS', `the name "${name}" is taken by a skill that no agent wrote; choose another name`);
}

/** A skill of any source that has this name, or nearly: one would shadow the other, or take its folder. */
function findNamesake(catalog: Catalog, name: string, except?: SourceRoot): Skill | undefined {
  const folded = foldName(name.trim());
  return listCopies(catalog).find(
    (skill) =>
      (foldName(skill.id) === folded || foldName(skill.name) === folded) && dirname(skill.dir) !== except?.path,
  );
}

function explainTaken({ name, file, source }: Skill): Failure {
  return fail('ALREADY_EXISTS', `the skill "${name}" exists already: ${file} (source ${source})`);
}

function findRoot({ roots }: Catalog, { project = false }: WriteOptions): Outcome<{ readonly root: SourceRoot }> {
  const own = roots.filter(({ id }) => id === (project ? 'project' : 'user'));
  const root = own.find(({ path }) => exists(path)) ?? own[0];
  return root === undefined ? switchedOff(project ? "the project's .agent/skills" : 'your own') : { ok: true, root };
}

function switchedOff(which: string): Failure {
  return fail('STORE_FAILED', `skills are not looked for in ${which}; see disabledSources in config.yaml`);
}

interface OwnSkill {
  readonly skill: Skill;
  readonly root: SourceRoot;
}

const OWN_SOURCES = ['user', 'agent-written'];

function findOwn(catalog: Catalog, name: string, { project = false }: WriteOptions): Outcome<OwnSkill> {
  const sources = project ? ['project'] : OWN_SOURCES;
  const copies = listCopies(catalog).filter(({ source }) => sources.includes(source));
  const found = findSkill(copies, name);
  if (!found.ok) {
    const other = findSkill(catalog.skills, name);
    if (!other.ok) return other;
    const { skill } = other;
    return fail(
      'PATH_REFUSED',
      `the skill "${skill.name}" is not stored here: it is of the source ${skill.source}, ${skill.file}`,
    );
  }
  const { skill } = found;
  const root = catalog.roots.find(({ id, path }) => id === skill.source && path === dirname(skill.dir));
  return root === undefined ? fail('SKILL_NOT_FOUND', `the skill "${name}" is gone`) : { ok: true, skill, root };
}
