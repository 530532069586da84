import { dirname } from 'node:path';

import { either, aFunction, stringOrStrings, type ArgumentKind } from '../model/check-arguments.ts';
import { freezeDeep } from '../model/freeze.ts';
import { compareText } from '../model/order.ts';
import { isFromSource } from '../model/skill-source.ts';
import type { SkillDefinition, Skill } from '../model/skill.ts';
import type { SourceRoot } from '../model/source.ts';
import { findMatch } from '../parse/globs.ts';
import { realPath } from '../platform/files/files.ts';
import type { Catalog } from './catalog.ts';

/** Decides which skills there are for a caller. */
export type SkillView = (skill: Skill) => boolean;

/** One name or several. */
export type SkillNames = string | readonly string[];

export function listNames(names: SkillNames): readonly string[] {
  return typeof names === 'string' ? [names] : [...names];
}

/** A view by names, ids or globs of them, such as `pdf-*`; or by a function. */
export type SkillSelection = SkillNames | SkillView;

export const SELECTION: ArgumentKind = either('names, globs or a function', stringOrStrings, aFunction);

export function toView(selection: SkillSelection): SkillView {
  if (typeof selection === 'function') return selection;
  const patterns = listNames(selection);
  return ({ name, id }) => findMatch(name, patterns) !== undefined || findMatch(id, patterns) !== undefined;
}

/**
 * The catalog as a view shows it: nothing in it names a skill outside the view. A copy that an excluded skill shadows is
 * left out, and so are problems that are not about a skill of the view.
 */
export function narrowCatalog(
  { skills, shadowed, diagnostics, roots, reading, writesTo }: Catalog,
  view: SkillView,
): Catalog {
  const seen = skills.filter(view);
  const files = new Set(seen.map(({ file }) => file));
  const copies = shadowed.filter((copy) => copy.shadowedBy !== undefined && files.has(copy.shadowedBy) && view(copy));
  const dirs = new Set([...seen, ...copies].map(({ dir }) => dir));
  const own = diagnostics.filter(({ path }) => isInsideOneOf(path, dirs));
  return { skills: seen, shadowed: copies, diagnostics: own, roots, reading, ...(writesTo && { writesTo }) };
}

/** The catalog with these skills, by name or id, pinned as well. */
export function pinInCatalog(catalog: Catalog, names: readonly string[]): Catalog {
  const pinned = new Set(names);
  const pin = (skill: Skill): Skill =>
    !skill.pinned && (pinned.has(skill.name) || pinned.has(skill.id)) ? freezeDeep({ ...skill, pinned: true }) : skill;
  return { ...catalog, skills: catalog.skills.map(pin), shadowed: catalog.shadowed.map(pin) };
}

function isInsideOneOf(path: string, dirs: ReadonlySet<string>): boolean {
  for (let at = path; ; at = dirname(at)) {
    if (dirs.has(at)) return true;
    if (at === dirname(at)) return false;
  }
}

/** May a model see this skill? Disabled, unavailable and hidden skills are never shown to it. */
export function isModelVisible({ status, hidden }: Pick<Skill, 'status' | 'hidden'>): boolean {
  return status === 'enabled' && !hidden;
}

/** The skills that a model may see, in display order: pinned first, then by name. */
export function listVisible(skills: readonly Skill[]): readonly Skill[] {
  return skills.filter(isModelVisible).sort(compareShown);
}

function compareShown(a: Skill, b: Skill): number {
  return Number(b.pinned) - Number(a.pinned) || compareText(a.name, b.name) || compareText(a.file, b.file);
}

/** The `creator` of a skill that an agent wrote. */
export const AGENT = 'agent';

export function isByAgent({ creator }: Pick<SkillDefinition, 'creator'>): boolean {
  return creator === AGENT;
}

/**
 * Skills that this catalog's agent may change: those agents wrote into its own folder or, without one, into any of the
 * user's folders; never installed or project skills.
 */
export function changeableByAgent({ writesTo }: Pick<Catalog, 'writesTo'>): SkillView {
  return (skill) =>
    isByAgent(skill) &&
    skill.level === 'user' &&
    skill.origin === undefined &&
    skill.source !== 'plugin' &&
    !isFromSource(skill) &&
    (writesTo === undefined || liesIn(skill, writesTo));
}

/** Compares real paths, because one directory may be two sources. */
export function liesIn({ dir }: Pick<Skill, 'dir'>, { path }: Pick<SourceRoot, 'path'>): boolean {
  return dirname(dir) === path || realPath(dirname(dir)) === realPath(path);
}

export function isUsable({ status }: Pick<Skill, 'status'>): boolean {
  return status === 'enabled';
}
