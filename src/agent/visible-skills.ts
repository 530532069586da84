import { failBroken, findBroken } from '../catalog/broken.ts';
import { findSkill } from '../catalog/find.ts';
import { listVisible } from '../catalog/view.ts';
import type { Skills } from '../engine/open-skills.ts';
import type { Failure, Outcome, OutcomeCode } from '../model/outcome.ts';
import type { Skill } from '../model/skill.ts';
import { failUnknown } from './unknown-skill.ts';

export type CatalogHolder = Pick<Skills, 'catalog'>;

/** A catalog that can scan again. */
export type LiveCatalog = Pick<Skills, 'catalog' | 'refresh' | 'refreshIfChanged'>;

/** The skills that a model may know of now. */
export function visibleSkills(skills: CatalogHolder): readonly Skill[] {
  return listVisible(skills.catalog().skills);
}

/**
 * Finds a requested skill among those the model may see. Use the returned skill's name from here on, never the model's
 * spelling, which could match a hidden skill. Broken skills are never listed, but the failure says that the skill is
 * broken, because the user can fix it. `instead` is the model's next step if there is no such skill.
 */
export function findVisible(skills: CatalogHolder, name: string, instead?: string): Outcome<{ readonly skill: Skill }> {
  const visible = visibleSkills(skills);
  const found = findSkill(visible, name);
  if (found.ok) return found;
  const meant = findMeant(visible, name);
  if (meant !== undefined) return { ok: true, skill: meant };
  return explainBroken(skills, name) ?? failUnknown(visible, name, instead);
}

/** The only skill that is spelled alike: models write `Code Review`, `code_review`, `skill://x`, `x/SKILL.md` or `plugin:x`. */
function findMeant(visible: readonly Skill[], name: string): Skill | undefined {
  const plain = fold(
    name
      .trim()
      .replace(/^skill:\/\//i, '')
      .replace(/\/(?:SKILL\.md)?$/i, ''),
  );
  const alike = visible.filter((skill) =>
    [fold(skill.name), fold(skill.id)].some((one) => one === plain || one === lastOf(plain)),
  );
  return plain !== '' && alike.length === 1 ? alike[0] : undefined;
}

function fold(name: string): string {
  return name.toLowerCase().replaceAll(/[\s_]+/g, '-');
}

/** Of `plugin:x`, the `x`. */
function lastOf(name: string): string {
  return name.slice(name.lastIndexOf(':') + 1);
}

/** A broken skill by its name, for callers that can rewrite or remove it. */
export function findBrokenSkill(skills: CatalogHolder, name: string): Skill | undefined {
  return findBroken(skills.catalog().skills, name);
}

/** Why the broken skill of this name cannot be used; undefined if there is none. */
export function explainBroken(skills: CatalogHolder, name: string): Failure | undefined {
  const broken = findBrokenSkill(skills, name);
  return broken === undefined ? undefined : failBroken(broken);
}

/** Looks for one skill in the catalog. If it is unknown or broken there, scans once: it may have been added or fixed. */
export async function lookTwice<T>(skills: LiveCatalog, look: () => Outcome<T>): Promise<Outcome<T>> {
  return lookAgain(skills, look, (found) => found.ok || !MAY_HAVE_CHANGED.has(found.code));
}

const MAY_HAVE_CHANGED: ReadonlySet<OutcomeCode> = new Set(['SKILL_NOT_FOUND', 'PARSE_FAILED', 'STORE_FAILED']);

/** Looks for any number of skills, those included that were added on disk. Before it finds none, scans once. */
export async function lookForAny<T extends readonly unknown[]>(
  skills: LiveCatalog,
  look: () => T | Promise<T>,
): Promise<T> {
  await skills.refreshIfChanged();
  return lookAgain(skills, look, (found) => found.length > 0);
}

async function lookAgain<T>(
  skills: LiveCatalog,
  look: () => T | Promise<T>,
  isEnough: (found: T) => boolean,
): Promise<T> {
  const found = await look();
  if (isEnough(found)) return found;
  await skills.refresh();
  return look();
}
