import type { SkillsConfig } from '../model/config.ts';
import type { Diagnostic } from '../model/diagnostic.ts';
import { compareText } from '../model/order.ts';
import type { Shadow, Skill } from '../model/skill.ts';
import type { SourceRoot } from '../model/source.ts';
import type { FoundSkill } from '../sources/scan.ts';
import { isBroken } from './broken.ts';
import { findLookalikeNames } from './lookalike-names.ts';
import { describeShadow, resolveShadowing, type Holder } from './shadowing.ts';
import { judgeSkill, type CommandLookup, type SkillState } from './state.ts';

/** The merged view of all skills. */
export interface Catalog {
  /** One skill per name, sorted by name, then source. */
  readonly skills: readonly Skill[];
  /** Copies that lost their name to another, in the same order. */
  readonly shadowed: readonly Skill[];
  /** All problems found, sorted by path. */
  readonly diagnostics: readonly Diagnostic[];
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

export function buildCatalog({ found, roots, off, diagnostics, config, hasCommand }: CatalogInput): Catalog {
  const skills: Skill[] = [];
  const shadowed: Skill[] = [];
  const reported: Diagnostic[] = [...diagnostics];
  const pinned = new Set(config.pinned);
  const pin = (skill: Skill): Skill => (pinned.has(skill.name) && !skill.pinned ? { ...skill, pinned: true } : skill);
  const holders = resolveShadowing(found, config);
  for (const holder of holders.values()) {
    const { winner, losers } = holder;
    skills.push(pin(settle(holder, judgeSkill(winner, config, hasCommand))));
    if (winner.skill.diagnostics.length > 0) reported.push(...winner.skill.diagnostics);
    for (const loser of losers) {
      const state = judgeSkill(loser, config, hasCommand);
      shadowed.push(pin({ ...loser.skill, ...state, shadowedBy: winner.skill.file }));
      reported.push(...loser.skill.diagnostics, describeShadow(loser, holder));
    }
  }
  reported.push(...findLookalikeNames(holders));
  return {
    skills: skills.sort(byName),
    shadowed: shadowed.sort(byName),
    diagnostics: reported.sort(byPath),
    roots,
    off,
  };
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
function settle({ winner: { skill }, losers, preferredBy }: Holder, state: SkillState | undefined): Skill {
  if (state === undefined && losers.length === 0) return skill;
  const choice = preferredBy === undefined ? {} : { preferredBy };
  return { ...skill, ...state, ...choice, shadows: losers.map(toShadow) };
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
