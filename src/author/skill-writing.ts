import type { Catalog } from '../catalog/catalog.ts';
import type { SkillStore } from '../catalog/store.ts';
import { AGENT, changeableByAgent, isByAgent, liesIn } from '../catalog/view.ts';
import { fail, type Failure, type Outcome } from '../model/outcome.ts';
import type { Skill, SkillDefinition } from '../model/skill.ts';
import type { SourceRoot } from '../model/source.ts';
import {
  explainTaken,
  findAgentRoot,
  findNamesakes,
  findOwn,
  findRoot,
  findRootOf,
  type WriteOptions,
} from './own-skills.ts';
import type { SkillChanges, SkillDraft } from './skill-draft.ts';
import type { WriteSkillOptions, Writing, WrittenSkill } from './write-skill.ts';

export interface RemoveOptions extends WriteOptions {
  /** Also removes other files in the skill's folder; by default they make it fail. */
  readonly withFiles?: boolean | undefined;
}

export interface CreateOptions extends WriteOptions {
  /** The skill's other files. */
  readonly files?: WriteSkillOptions['files'];
}

/**
 * Writes and removes skills in the user's or the project's own folder, never in other sources. Each change refreshes
 * the catalog before and after, so that a new skill is available immediately.
 */
export interface SkillWriting {
  /**
   * Stores a new skill. Fails with `ALREADY_EXISTS` if any source has a skill of that name, and with `SKILL_INVALID` if
   * `validate` would report errors. A frontmatter at the head of the body is taken off and fills in missing fields.
   */
  create(draft: SkillDraft, options?: CreateOptions): Promise<Outcome<WrittenSkill>>;
  /** Changes a skill in one of these directories. Missing fields stay as they are. */
  update(name: string, changes: SkillChanges, options?: WriteOptions): Promise<Outcome<WrittenSkill>>;
  /** Removes a skill in one of these directories. Fails if its folder holds other files, unless `withFiles`. */
  remove(name: string, options?: RemoveOptions): Promise<Outcome<{ readonly id: string; readonly path: string }>>;
  /**
   * Creates a skill with `creator: agent` in the agent's folder (`agentFolder`), or changes one that an agent wrote:
   * there, or, without such a folder, in any of the user's folders. Never changes a person's skill.
   */
  putByAgent(draft: SkillDraft): Promise<Outcome<WrittenSkill>>;
  /** The folder that agents write to: that of `writingTo`, or `agentSkillsDir`. A failure says why there is none. */
  agentFolder(): Outcome<{ readonly path: string }>;
}

export interface WritingParts extends Pick<SkillStore, 'environment' | 'catalog' | 'refresh'> {
  /** All skills, where `catalog` shows only some: the names of hidden ones are also taken. */
  readonly whole?: (() => Catalog) | undefined;
  /** Shared by all that write into the same catalog. */
  readonly turns?: Turns | undefined;
}

/** Runs one work after the other, so that an older refresh never ends after a newer one. */
export type Turns = <T>(work: () => Promise<T>) => Promise<T>;

export function openTurns(): Turns {
  let last: Promise<unknown> = Promise.resolve();
  return (work) => {
    const working = last.then(work);
    last = Promise.allSettled([working]);
    return working;
  };
}

export function openSkillWriting(parts: WritingParts): SkillWriting {
  const { catalog, refresh, turns = openTurns() } = parts;
  /** Refreshes first, because another process may have written. */
  const change = <T>(work: () => Promise<Outcome<T>>): Promise<Outcome<T>> =>
    turns(async () => {
      await refresh();
      const done = await work();
      if (done.ok) await refresh();
      return done;
    });
  return {
    create: (draft, { files, ...options } = {}) =>
      change(async () => {
        const isAgent = options.by === 'agent';
        const source = isAgent ? findAgentRoot(catalog()) : findRoot(catalog(), options);
        if (!source.ok) return source;
        const [other] = findNamesakes(catalog(), draft.name);
        if (other !== undefined) return explainTaken(other);
        const outside = refuseOutside(parts, draft.name);
        if (outside !== undefined) return outside;
        const { root } = source;
        if (!isAgent) return write(draft, { source: root, mode: 'create', files });
        return write(byAgent(draft), { source: root, mode: 'create', files, maxBytes: MAX_AGENT_SKILL_BYTES });
      }),
    update: (name, changes, options = {}) =>
      change(async () => {
        const own = findOwn(catalog(), name, options);
        if (!own.ok) return own;
        const { description } = changes;
        const shown = options.by === 'agent' && description !== undefined ? visibleLine(description) : description;
        return write(
          { ...changes, description: shown, name: own.skill.id },
          { source: own.root, mode: 'update', ...rightsOf(options) },
        );
      }),
    remove: (name, options = {}) =>
      change(async () => {
        const own = findOwn(catalog(), name, options);
        if (!own.ok) return own;
        const { removeSkill } = await import('./remove-skill.ts');
        const { withFiles } = options;
        return removeSkill(own.skill.id, { source: own.root, withFiles, ...rightsOf(options) });
      }),
    putByAgent: (draft) =>
      change(async () => {
        const outside = refuseOutside(parts, draft.name);
        if (outside !== undefined) return outside;
        const found = findAgentRoot(catalog());
        const place = found.ok ? findAgentPlace(catalog(), found.root, draft.name) : found;
        if (!place.ok) return place;
        const { source, id } = place;
        return write(
          { ...byAgent(draft), name: id },
          { source, mode: 'put', judge: judgeCreator, maxBytes: MAX_AGENT_SKILL_BYTES },
        );
      }),
    agentFolder() {
      const found = findAgentRoot(catalog());
      return found.ok ? { ok: true, path: found.root.path } : found;
    },
  };
}

/** Refuses the name of a skill outside the catalog and reveals nothing else about it. */
function refuseOutside({ catalog, whole = catalog }: WritingParts, name: string): Failure | undefined {
  const shown = new Set(findNamesakes(catalog(), name).map(({ file }) => file));
  const isTaken = findNamesakes(whole(), name).some(({ file }) => !shown.has(file));
  return isTaken
    ? fail('ALREADY_EXISTS', `the name "${name}" is taken`, { give: 'name', aim: 'choose another' })
    : undefined;
}

/** Where an agent's skill of this name goes: in place of one that agents wrote, or into their folder. */
function findAgentPlace(
  catalog: Catalog,
  root: SourceRoot,
  name: string,
): Outcome<{ readonly source: SourceRoot; readonly id: string }> {
  const namesakes = findNamesakes(catalog, name);
  const isChangeable = changeableByAgent(catalog);
  const placeOf = (skill: Skill): SourceRoot | undefined =>
    liesIn(skill, root) ? root : isChangeable(skill) ? findRootOf(catalog, skill) : undefined;
  const foreign = namesakes.find((skill) => placeOf(skill) === undefined);
  if (foreign !== undefined) return refuseForeign(foreign);
  const existing = namesakes.find((skill) => liesIn(skill, root)) ?? namesakes[0];
  const source = (existing === undefined ? undefined : placeOf(existing)) ?? root;
  return { ok: true, source, id: existing?.id ?? name };
}

function byAgent(draft: SkillDraft): SkillDraft {
  return { ...draft, description: visibleLine(draft.description), creator: AGENT };
}

function rightsOf({ by }: WriteOptions): Pick<WriteSkillOptions, 'judge' | 'maxBytes'> {
  return by === 'agent' ? { judge: judgeOwner, maxBytes: MAX_AGENT_SKILL_BYTES } : {};
}

function judgeOwner(skill: SkillDefinition): Failure | undefined {
  if (isByAgent(skill)) return undefined;
  return fail('PATH_REFUSED', `the skill "${skill.name}" was not written by an agent, so only the user may change it`, {
    advice: 'Store a skill of another name, or ask the user to change this one.',
  });
}

/** Takes a frontmatter off the body; it fills in missing fields. */
async function write(writing: Writing, options: WriteSkillOptions): Promise<Outcome<WrittenSkill>> {
  // Lazy: readers should not pay for the writer.
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
/** Without the joiners, which emoji and several scripts need. */
const FORMAT_CHARACTERS = /(?!\u200C|\u200D)\p{Cf}/gu;

function visibleLine(description: string): string {
  return description
    .replaceAll(FORMAT_CHARACTERS, '')
    .replaceAll(/[\p{Cc}\p{Zl}\p{Zp}\s]+/gu, ' ')
    .trim();
}

function judgeCreator(skill: SkillDefinition): Failure | undefined {
  return isByAgent(skill) ? undefined : refuseForeign(skill);
}

/** Says where the skill of that name lies, and why agents may not change it. */
function refuseForeign(skill: SkillDefinition): Failure {
  const why = isByAgent(skill) ? 'is installed or part of a project' : 'was not written by an agent';
  return fail('ALREADY_EXISTS', `the name "${skill.id}" is taken by ${skill.file}, which ${why}`, {
    give: 'name',
    aim: 'choose another',
  });
}
