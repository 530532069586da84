import { compareText } from '../../model/order.ts';
import type { Skill } from '../../model/skill.ts';
import { bytesInMemory } from '../../parse/column-file.ts';
import { openIndexBuilder } from '../building/index-builder.ts';
import { SkillRegistry } from '../registry.ts';
import { extendTable, openScoreTable, type ScoreTable } from '../score-table.ts';
import { encodeIndex, openIndex } from './index-file.ts';
import { layerIndex } from './layer-index.ts';
import { GONE } from './lists.ts';
import { EMPTY_INDEX, reviseIndex, type SearchIndex } from './search-index.ts';
import { listVersions, openVersionFinder } from './versions.ts';

/** A search index over skills that live anywhere, such as in a database, and that can be kept there, too. */
export interface PortableIndex {
  /** Those of the skills whose instructions the index lacks, because they are new or their stamp is another one. */
  missing(skills: readonly Skill[]): readonly Skill[];
  /**
   * Searches these skills. The instructions of missing ones are asked for; all others are taken from the index as it is.
   * Later calls build on the result.
   */
  update(skills: readonly Skill[], bodyOf: (skill: Skill) => string): SkillRegistry;
  /**
   * Searches the skills of the last call with a few changes, and finds what `update` would. It takes as long as the changes are
   * many, not as the skills are. A skill is known by its file.
   */
  change(changes: IndexChanges, bodyOf: (skill: Skill) => string): SkillRegistry;
  /** The index as bytes for `openPortableIndex`. */
  save(): Uint8Array;
}

export interface IndexChanges {
  /** New ones, and those that replace the one of the same file. */
  readonly put: readonly Skill[];
  /** The files of skills that are no longer there. */
  readonly removed: readonly string[];
}

/** Opens an index that was saved with the same `owner`; an empty one if that is damaged, or another program's. */
export function openPortableIndex(owner: string, saved?: Uint8Array): PortableIndex {
  let base = openBase([], (saved && openIndex(bytesInMemory(saved), owner)) ?? EMPTY_INDEX);
  let fresh = NO_CHANGES;
  const settle = (): void => {
    if (fresh !== NO_CHANGES) base = openBase(...mergeChanges(base, fresh), base);
    fresh = NO_CHANGES;
  };
  return {
    missing(skills) {
      const [inBase, inFresh] = [base.findVersion(), openVersionFinder(fresh.index.versions)];
      return skills.filter((skill) => inFresh(skill) === undefined && inBase(skill) === undefined);
    },
    update(skills, bodyOf) {
      settle();
      const builder = openIndexBuilder(base.index, skills);
      for (const skill of builder.missing) builder.add(skill, bodyOf(skill));
      base = openBase(skills, builder.build());
      return SkillRegistry.withIndex(skills, base.index, { table: base.table });
    },
    change(changes, bodyOf) {
      fresh = addChanges(base, fresh, { ...changes, bodyOf });
      if (fresh.skills.size + fresh.goneCount > Math.max(LEAST_FRESH, Math.sqrt(base.skills.length))) settle();
      if (fresh === NO_CHANGES) return SkillRegistry.withIndex(base.skills, base.index, { table: base.table });
      return searchLayers(base, fresh);
    },
    save() {
      settle();
      return encodeIndex(base.index, owner);
    },
  };
}

/** Fewer changes than this are not worth a merge. */
const LEAST_FRESH = 64;
/** So many skills are looked through one by one before a new table is made. */
const MOST_LOOSE = 1_000;

/** The skills that are merged into one index. */
interface Base {
  readonly skills: readonly Skill[];
  readonly index: SearchIndex;
  readonly table: ScoreTable;
  /** The skills that the table was made of, and those that came later. */
  readonly tabled: { readonly skills: readonly Skill[]; readonly table: ScoreTable };
  readonly findVersion: () => (skill: Skill) => number | undefined;
  readonly placeOf: (file: string) => number | undefined;
}

function openBase(skills: readonly Skill[], index: SearchIndex, before?: Base): Base {
  let finder: ((skill: Skill) => number | undefined) | undefined;
  let places: ReadonlyMap<string, number> | undefined;
  return {
    skills,
    index,
    ...keepTable(skills, before?.tabled),
    findVersion: () => (finder ??= openVersionFinder(index.versions)),
    placeOf: (file) => (places ??= new Map(skills.map((skill, at) => [skill.file, at]))).get(file),
  };
}

/** Making a table takes much longer than looking through a few skills. */
function keepTable(skills: readonly Skill[], tabled: Base['tabled'] | undefined): Pick<Base, 'table' | 'tabled'> {
  const known = new Set(tabled?.skills);
  const loose = skills.flatMap((skill, at) => (known.has(skill) ? [] : [at]));
  if (tabled === undefined || loose.length > MOST_LOOSE) {
    const table = openScoreTable(skills);
    return { table, tabled: { skills, table } };
  }
  const now = new Map(skills.map((skill, at) => [skill, at]));
  const moved = Int32Array.from(tabled.skills, (skill) => now.get(skill) ?? -1);
  const others = { places: loose, skills: loose.flatMap((at) => skills[at] ?? []) };
  return { table: extendTable(tabled.table, (at) => moved[at] ?? -1, others), tabled };
}

/** The changes since the last merge. */
interface Changes {
  /** For each skill of the base: 1 if it is gone, or replaced. */
  readonly gone: Uint8Array;
  readonly goneCount: number;
  /** By file, in the order of their ids: so they can be merged quickly. */
  readonly skills: ReadonlyMap<string, Skill>;
  /** Of these skills, in their order. */
  readonly index: SearchIndex;
}

const NO_CHANGES: Changes = { gone: new Uint8Array(), goneCount: 0, skills: new Map(), index: EMPTY_INDEX };

function addChanges(
  base: Base,
  before: Changes,
  { put, removed, bodyOf }: IndexChanges & { readonly bodyOf: (skill: Skill) => string },
): Changes {
  const gone = new Uint8Array(base.skills.length);
  gone.set(before.gone);
  const skills = new Map(before.skills);
  for (const file of [...removed, ...put.map((skill) => skill.file)]) {
    skills.delete(file);
    const place = base.placeOf(file);
    if (place !== undefined) gone[place] = 1;
  }
  for (const skill of put) skills.set(skill.file, skill);
  const ordered = [...skills.values()].sort(byId);
  const builder = openIndexBuilder(before.index, ordered);
  for (const skill of builder.missing) builder.add(skill, bodyOf(skill));
  const goneCount = gone.reduce((sum, each) => sum + each, 0);
  return { gone, goneCount, skills: new Map(ordered.map((skill) => [skill.file, skill])), index: builder.build() };
}

function searchLayers({ skills, index, table }: Base, { gone, skills: fresh, index: upper }: Changes): SkillRegistry {
  const added = [...fresh.values()];
  const loose = { places: added.map((_, at) => skills.length + at), skills: added };
  return SkillRegistry.withIndex([...skills, ...added], layerIndex({ base: index, gone, fresh: upper }), {
    table: extendTable(table, (at) => at, loose),
    isWanted: (at) => gone[at] !== 1,
  });
}

/** All skills in the order of their ids, and their index. Nothing is read again. */
function mergeChanges(base: Base, { gone, skills: fresh, index }: Changes): [readonly Skill[], SearchIndex] {
  const added = [...fresh.values()];
  const kept = base.skills.filter((_, at) => gone[at] !== 1);
  const skills = [...kept, ...added].sort(byId);
  const places = new Map(skills.map((skill, at) => [skill, at]));
  const numbersOf = (own: readonly Skill[]): Uint32Array => Uint32Array.from(own, (skill) => places.get(skill) ?? GONE);
  const parts = [
    { documents: base.index, numbers: numbersOf(base.skills) },
    { documents: index, numbers: numbersOf(added) },
  ];
  const merged = reviseIndex(base.index, {
    versions: listVersions(skills, () => true),
    lists: parts,
    postings: parts,
    words: index.lexicon.split('\n').slice(0, -1),
  });
  return [skills, merged];
}

function byId(a: Skill, b: Skill): number {
  return compareText(a.id, b.id) || compareText(a.file, b.file);
}
