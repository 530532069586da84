import { LRUCache } from 'lru-cache';
import type { Skill, SkillRegistry, SkillSearchResult } from 'skillplane';
import { openPortableIndex, type PortableIndex } from 'skillplane/internal';

import { keyOf, type ServedSkill } from './served-skill.ts';

/** Everything that readers may see, in memory: found and listed without asking the database. */
export interface Library {
  /** Sorted by scope and name; only those of the scopes, or all. */
  list(scopes?: ReadonlySet<string>): readonly ServedSkill[];
  find(scope: string, name: string): ServedSkill | undefined;
  search(query: LibraryQuery): readonly LibraryResult[];
  /** The same as the API answers it. */
  answer(query: LibraryQuery): LibraryAnswer;
  /** The skills whose instructions must be read before `put` can make them searchable. */
  missing(changed: readonly ServedSkill[]): readonly ServedSkill[];
  /** Replaces skills; one without versions is removed. */
  put(changed: readonly ServedSkill[], bodies: ReadonlyMap<string, string>): void;
  /** The search index, for other replicas. */
  save(): Uint8Array;
}

export interface LibraryQuery {
  readonly query: string;
  readonly scopes?: ReadonlySet<string> | undefined;
  readonly tags?: readonly string[] | undefined;
  readonly limit: number;
}

export interface LibraryResult extends Omit<SkillSearchResult, 'id'> {
  readonly scope: string;
  readonly version: string;
}

/** The results of a search, remembered together with their JSON until anything changes. */
export interface LibraryAnswer {
  readonly results: readonly LibraryResult[];
  readonly json: () => string;
}

export function openLibrary(indexOwner: string, savedIndex?: Uint8Array): Library {
  const index: PortableIndex = openPortableIndex(indexOwner, savedIndex);
  const skills = new Map<string, ServedSkill>();
  let sorted: readonly ServedSkill[] = [];
  let registry: SkillRegistry | undefined;
  const views = new LRUCache<string, SkillRegistry>({ max: MAX_VIEWS });
  /** Agents ask the same again and again. Any change of the library forgets all of them. */
  const answers = new LRUCache<string, LibraryAnswer>({ max: MAX_ANSWERS });

  const viewOf = (scopes: ReadonlySet<string> | undefined): SkillRegistry | undefined => {
    if (scopes === undefined || registry === undefined) return registry;
    const key = [...scopes].sort().join(' ');
    const view = views.get(key) ?? registry.only(({ source }) => scopes.has(source.slice(1)));
    views.set(key, view);
    return view;
  };
  const search = ({ query, scopes, tags, limit }: LibraryQuery): readonly LibraryResult[] => {
    const results = viewOf(scopes)?.search(query, { tags }, limit) ?? [];
    return results.flatMap(({ id, ...result }) => {
      const served = skills.get(id);
      if (served?.latest === undefined) return [];
      return [{ ...result, scope: served.scope, version: served.latest.version }];
    });
  };
  const answer = (query: LibraryQuery): LibraryAnswer => {
    const key = JSON.stringify([query.query, query.limit, query.tags, query.scopes && [...query.scopes].sort()]);
    const known = answers.get(key) ?? openAnswer(search(query));
    answers.set(key, known);
    return known;
  };
  return {
    list: (scopes) => (scopes === undefined ? sorted : sorted.filter(({ scope }) => scopes.has(scope))),
    find: (scope, name) => skills.get(keyOf({ scope, name })),
    search: (query) => answer(query).results,
    answer,
    missing(changed) {
      const known = new Map(
        changed.flatMap((served) => (served.skill === undefined ? [] : [[served.skill, served] as const])),
      );
      return index.missing([...known.keys()]).flatMap((skill) => known.get(skill) ?? []);
    },
    put(changed, bodies) {
      for (const served of changed) {
        if (isGone(served)) skills.delete(keyOf(served));
        else skills.set(keyOf(served), served);
      }
      sorted = [...skills].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, served]) => served);
      const bodyOf = (skill: Skill): string => bodies.get(skill.id) ?? '';
      registry = index.update(listSkills(sorted), bodyOf);
      views.clear();
      answers.clear();
    },
    save: () => index.save(),
  };
}

function listSkills(served: readonly ServedSkill[]): readonly Skill[] {
  return served.flatMap(({ skill }) => skill ?? []);
}

function openAnswer(results: readonly LibraryResult[]): LibraryAnswer {
  let json: string | undefined;
  return { results, json: () => (json ??= JSON.stringify({ ok: true, results })) };
}

/** Tokens usually differ in few sets of scopes. */
const MAX_VIEWS = 64;
const MAX_ANSWERS = 500;
/** Versions may have to be read first, so they are asked for last. */
function isGone(served: ServedSkill): boolean {
  return served.latest === undefined && served.versions.length === 0;
}
