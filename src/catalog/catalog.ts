import { dirname } from 'node:path';

import type { ConfigReading } from '../config/read-config.ts';
import type { Diagnostic } from '../model/diagnostic.ts';
import { freezeDeep } from '../model/freeze.ts';
import { compareText } from '../model/order.ts';
import type { Shadow, Skill } from '../model/skill.ts';
import type { SourceRoot } from '../model/source.ts';
import { foldLookalikes } from '../parse/lookalikes.ts';
import { foldName } from '../parse/name-rules.ts';
import { realPath } from '../platform/files/files.ts';
import type { FoundSkill } from '../sources/scan.ts';
import { isBroken } from './broken.ts';
import { describeShadow, resolveShadowing } from './shadowing.ts';
import { findState, type CommandLookup } from './state.ts';

/** The merged view of all skills. */
export interface Catalog {
  /** One skill per name, sorted by name, then source. */
  readonly skills: readonly Skill[];
  /** Copies that lost their name to another, in the same order. */
  readonly shadowed: readonly Skill[];
  /** All problems found, sorted by path. */
  readonly diagnostics: readonly Diagnostic[];
  /** Those with the configuration and the sources. Absent in views and copies. */
  readonly troubles?: readonly Diagnostic[] | undefined;
  /** The directories that were scanned. */
  readonly roots: readonly SourceRoot[];
  /** The configuration as the scan read it. */
  readonly reading: ConfigReading;
  /** Directories of sources that are off; absent in views. */
  readonly off?: readonly SourceRoot[] | undefined;
  /** The only directory to which the agent writes whose catalog this is; absent if it writes where the configuration says. */
  readonly writesTo?: SourceRoot | undefined;
}

export interface CatalogInput {
  readonly found: readonly FoundSkill[];
  readonly roots: readonly SourceRoot[];
  readonly off?: readonly SourceRoot[] | undefined;
  /** Problems with the configuration and the sources. */
  readonly diagnostics: readonly Diagnostic[];
  readonly reading: ConfigReading;
  readonly hasCommand: CommandLookup;
}

export function buildCatalog({ found, roots, off, diagnostics, reading, hasCommand }: CatalogInput): Catalog {
  const { config } = reading;
  const skills: Skill[] = [];
  const shadowed: Skill[] = [];
  const problems = [...diagnostics];
  const finish = (one: FoundSkill, place: Partial<Skill> = {}): Skill =>
    finishSkill(one.skill, { ...findState(one, config, hasCommand), ...place }, config.pinned);
  const holders = resolveShadowing(found, config);
  for (const { winner, losers, preferredBy } of holders) {
    const choice = preferredBy === undefined ? {} : { preferredBy };
    skills.push(finish(winner, losers.length === 0 ? {} : { ...choice, shadows: losers.map(toShadow) }));
    problems.push(...winner.skill.diagnostics);
    for (const loser of losers) {
      shadowed.push(shadow(finish(loser), winner.skill.file));
      problems.push(...loser.skill.diagnostics, describeShadow(loser, { winner, preferredBy }));
    }
  }
  problems.push(...findLookalikeNames(holders.map(({ winner }) => winner)));
  return {
    skills,
    shadowed: shadowed.sort(byName),
    diagnostics: problems.sort(byPath),
    troubles: [...diagnostics].sort(byPath),
    roots,
    reading,
    off,
  };
}

/**
 * The catalog of a list that a caller has. The skills stay as they are; of two with one name, the first counts. The folder of a
 * project or of the package must stay where it is now.
 */
export function catalogOfList(skills: readonly Skill[], reading: ConfigReading): Catalog {
  const own = [...new Map(skills.toReversed().map((skill) => [skill.name, skill])).values()].sort(byName);
  const diagnostics = own.flatMap((skill) => skill.diagnostics).sort(byPath);
  return { skills: own, shadowed: [], diagnostics, roots: own.map(toRoot), reading };
}

/**
 * The catalog plus the skills in one agent's own folder. A skill whose name is taken becomes a shadow; one that is
 * already listed is not repeated.
 */
export function addWritten(catalog: Catalog, written: Catalog, root: SourceRoot): Catalog {
  const holders = new Map(catalog.skills.map((skill) => [foldName(skill.name), skill]));
  const known = new Set(listCopies(catalog).map(({ dir }) => realPath(dir) ?? dir));
  const own = written.skills.filter(({ dir }) => !known.has(realPath(dir) ?? dir));
  const holderOf = ({ name }: Skill): Skill | undefined => holders.get(foldName(name));
  const losers = own.flatMap((skill) => {
    const holder = holderOf(skill);
    return holder === undefined ? [] : [shadow(skill, holder.file)];
  });
  return {
    ...catalog,
    skills: [...catalog.skills, ...own.filter((skill) => holderOf(skill) === undefined)].sort(byName),
    shadowed: [...catalog.shadowed, ...losers].sort(byName),
    diagnostics: [...catalog.diagnostics, ...written.diagnostics].sort(byPath),
    roots: [...catalog.roots, root],
    writesTo: root,
  };
}

function toRoot({ source, group, level, dir }: Skill): SourceRoot {
  const path = dirname(dir);
  const rest = { priority: 0, ordinal: 0, requireDescription: false, layout: 'skills', boundary: undefined } as const;
  return { id: source, group, level, path, fixedAt: level === 'user' ? undefined : realPath(path), ...rest };
}

/** Warns of each skill whose name looks like that of another: letters of other scripts, or 0 for o and 1 for l. */
function findLookalikeNames(winners: readonly FoundSkill[]): readonly Diagnostic[] {
  const diagnostics: Diagnostic[] = [];
  const holders = new Map(winners.map(({ skill }) => [foldName(skill.name), skill]));
  for (const [folded, skill] of holders) {
    const other = SUSPECT.test(folded) ? holders.get(shapeOf(folded)) : undefined;
    if (other === undefined || other === skill) continue;
    const { name, file } = skill;
    const message = `the name "${name}" looks like "${other.name}" in ${other.file}, but it is another one`;
    diagnostics.push({ code: 'NAME_LOOKALIKE', severity: 'warning', path: file, field: 'name', message });
  }
  return diagnostics;
}

/** Names with letters of other scripts, or with digits that look like letters. */
const SUSPECT = /[^a-z2-9-]/;

function shapeOf(folded: string): string {
  return foldLookalikes(folded).toLowerCase().replaceAll('0', 'o').replaceAll('1', 'l');
}

/** The skill as the catalog lists it. Nearly all are listed as they were found. */
function finishSkill(skill: Skill, changes: Partial<Skill>, pinned: readonly string[]): Skill {
  const isPinned = !skill.pinned && pinned.includes(skill.name);
  if (!isPinned && Object.keys(changes).length === 0) return skill;
  return freezeDeep({ ...skill, ...changes, ...(isPinned ? { pinned: true } : {}) });
}

/** The skill as a copy whose name another has. One that could not be used anyway keeps the reasons for that. */
function shadow(skill: Skill, shadowedBy: string): Skill {
  const state = { status: 'shadowed', reasons: [`${shadowedBy} has its name`] } as const;
  return freezeDeep({ ...skill, ...(skill.status === 'enabled' ? state : {}), shadowedBy });
}

/**
 * Diagnostics to show, without broken skills, whose reasons say the same, and without unreadable settings, which are
 * reported separately.
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

function toShadow({ skill: { source, name, dir, file } }: FoundSkill): Shadow {
  return { source, name, dir, file };
}

function byName(a: Skill, b: Skill): number {
  return compareText(a.name, b.name) || compareText(a.source, b.source) || compareText(a.file, b.file);
}

function byPath(a: Diagnostic, b: Diagnostic): number {
  return compareText(a.path, b.path);
}
