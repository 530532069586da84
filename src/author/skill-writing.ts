import type { SkillCatalog } from '../catalog/open-catalog.ts';
import { AGENT, isByAgent } from '../catalog/view.ts';
import { readConfig } from '../config/read-config.ts';
import { fail, type Failure, type Outcome } from '../model/outcome.ts';
import type { SkillDefinition } from '../model/skill.ts';
import {
  explainTaken,
  findNamesakes,
  findOwn,
  findRoot,
  liesIn,
  switchedOff,
  type WriteOptions,
} from './own-skills.ts';
import type { SkillChanges, SkillDraft } from './skill-draft.ts';
import type { WriteSkillOptions, Writing, WrittenSkill } from './write-skill.ts';

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
        const [other] = findNamesakes(catalog(), draft.name);
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
        const { removeSkill } = await import('./remove-skill.ts');
        return removeSkill(own.skill.id, { source: own.root, withFiles: options.withFiles });
      }),
    putByAgent: (draft) =>
      afterLook(async () => {
        const { config } = await readConfig(environment);
        const root = catalog().roots.find(({ path, level }) => path === config.agentSkillsDir && level === 'user');
        if (root === undefined) return switchedOff(config.agentSkillsDir);
        const namesakes = findNamesakes(catalog(), draft.name);
        if (namesakes.some((skill) => !liesIn(skill, root))) return refuseForeign(draft.name);
        return write(
          {
            ...draft,
            name: namesakes[0]?.id ?? draft.name,
            description: visibleLine(draft.description),
            creator: AGENT,
          },
          { source: root, mode: 'put', judge: judgeCreator, maxBytes: MAX_AGENT_SKILL_BYTES },
        );
      }),
  };
}

/** Takes a frontmatter off the body; what it says counts where the writing says nothing. */
async function write(writing: Writing, options: WriteSkillOptions): Promise<Outcome<WrittenSkill>> {
  // Loaded here, so that who only reads skills does not pay for writing them.
  const [{ writeSkill }, { takeOwnFrontmatter }] = await Promise.all([
    import('./write-skill.ts'),
    import('./own-frontmatter.ts'),
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

function judgeCreator(skill: SkillDefinition): Failure | undefined {
  return isByAgent(skill) ? undefined : refuseForeign(skill.id);
}

function refuseForeign(name: string): Failure {
  return fail('ALREADY_EXISTS', `the name "${name}" is taken by a skill that no agent wrote; choose another name`);
}
