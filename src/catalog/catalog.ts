import type { SkillsConfig } from '../model/config.ts';
import type { Diagnostic } from '../model/diagnostic.ts';
import { once } from '../model/once.ts';
import { compareText } from '../model/order.ts';
import type { Shadow, Skill } from '../model/skill.ts';
import type { SourceRoot } from '../model/source.ts';
import { toPlainSkill } from '../sources/cached-skill.ts';
import type { FoundSkill } from '../sources/scan.ts';
import { isBroken } from './broken.ts';
import { findLookalikeNames } from './lookalike-names.ts';
import { describeShadow, resolveShadowing, type Holder, type Holders } from './shadowing.ts';
import { judgeSkill, type CommandLookup, type SkillState } from './state.ts';

/** The merged view of all skills. */
export interface Catalog {
  /** One skill per name, sorted by name, then source. */
  readonly skills: readonly Skill[];
  /**
   * The same skills for looking through: what is not read of one is not decoded. Those are no plain data; whoever gives
   * one away takes it from `skills`. Absent in views and copies.
   */
  readonly quick?: readonly Skill[] | undefined;
  /** Copies that lost their name to another, in the same order. */
  readonly shadowed: readonly Skill[];
  /** All problems found, sorted by path. */
  readonly diagnostics: readonly Diagnostic[];
  /** Those with the configuration and the sources. Absent in views and copies. */
  readonly troubles?: readonly Diagnostic[] | undefined;
  /** The directories that were scanned. */
  readonly roots: readonly SourceRoot[];
  /** Directories of sources that are off; absent in views. */
  readonly off?: readonly SourceRoot[] | undefined;
}

export interface CatalogInput {
  readonly found: readonly FoundSkill[];
  readonly roots: readonly SourceRoot[];
  readonly off?: readonly SourceRoot[] | undefined;
  /** Problems with the configuration and the sources. */
  readonly diagnostics: readonly Diagnostic[];
  readonly config: SkillsConfig;
  readonly hasCommand: CommandLookup;
}

/** Skills and problems are listed when they are asked for: many callers need only some of the skills. */
export function buildCatalog({ found, roots, off, diagnostics, config, hasCommand }: CatalogInput): Catalog {
  const quick: Skill[] = [];
  const shadowed: Skill[] = [];
  const pinned = new Set(config.pinned);
  const pin = (skill: Skill): Skill =>
    pinned.size > 0 && pinned.has(skill.name) && !skill.pinned ? { ...toPlainSkill(skill), pinned: true } : skill;
  const holders = resolveShadowing(found, config);
  for (const winner of holders.winners) {
    const holder = holders.contested.get(winner);
    quick.push(pin(settle(winner, holder, judgeSkill(winner, config, hasCommand))));
    for (const loser of holder?.losers ?? []) {
      const state = judgeSkill(loser, config, hasCommand);
      shadowed.push(pin({ ...toPlainSkill(loser.skill), ...state, shadowedBy: winner.skill.file }));
    }
  }
  const skills = once(() => quick.map(toPlainSkill));
  const problems = once(() => [...diagnostics, ...listProblems(holders)].sort(byPath));
  const catalog: Catalog = {
    get skills() {
      return skills();
    },
    shadowed: shadowed.sort(byName),
    get diagnostics() {
      return problems();
    },
    roots,
    off,
  };
  // Not listed, so that copies of a catalog and whatever is printed of it have none of this.
  return Object.defineProperties(catalog, {
    quick: { value: quick },
    troubles: { value: [...diagnostics].sort(byPath) },
  });
}

/** The flaws of all skills, and what is to be said about their names. */
function* listProblems({ winners, contested }: Holders): Generator<Diagnostic> {
  for (const winner of winners) {
    yield* winner.skill.diagnostics;
    const holder = contested.get(winner);
    if (holder === undefined) continue;
    for (const loser of holder.losers) {
      yield* loser.skill.diagnostics;
      yield describeShadow(loser, holder);
    }
  }
  yield* findLookalikeNames(winners);
}

/**
 * The flaws to look at, apart from broken skills, whose reasons say what is wrong with them, and from settings that cannot be
 * read, which are reported by themselves.
 */
export function listWarnings({ skills, shadowed, diagnostics }: Catalog): readonly Diagnostic[] {
  const broken = new Set([...skills, ...shadowed].filter(isBroken).map(({ file }) => file));
  return diagnostics.filter(
    ({ severity, code, path }) => severity !== 'info' && code !== 'CONFIG_INVALID' && !broken.has(path),
  );
}

/** Winners and shadowed copies in one sorted list. */
export function listCopies({ skills, shadowed }: Catalog): readonly Skill[] {
  return [...skills, ...shadowed].sort(byName);
}

/** The skill as listed in the catalog. Only an unusual state needs a new record. */
function settle({ skill }: FoundSkill, holder: Holder | undefined, state: SkillState | undefined): Skill {
  if (state === undefined && holder === undefined) return skill;
  const choice = holder?.preferredBy === undefined ? {} : { preferredBy: holder.preferredBy };
  return { ...toPlainSkill(skill), ...state, ...choice, shadows: (holder?.losers ?? []).map(toShadow) };
}

function toShadow({ skill: { source, name, dir, file } }: FoundSkill): Shadow {
  return { source, name, dir, file };
}

function byName(a: Skill, b: Skill): number {
  return compareText(a.name, b.name) || compareText(a.source, b.source) || compareText(a.file, b.file);
}

function byPath(a: Diagnostic, b: Diagnostic): number {
  return compareText(a.path, b.path);
}
