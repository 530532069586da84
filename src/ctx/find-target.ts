import { failUnknown, nearestNames } from '../agent/unknown-skill.ts';
import { findVisible, visibleSkills, type CatalogHolder } from '../agent/visible-skills.ts';
import type { Skill } from '../model/skill.ts';
import type { CtxFailure } from './answer.ts';

export type Target = { readonly ok: true; readonly skill: Skill } | CtxFailure;

/** Finds the skill that a statement names: by name or id, else by a unique title. */
export function findTarget(skills: CatalogHolder, target: string): Target {
  const found = findVisible(skills, target);
  if (found.ok) return found;
  const titled = visibleSkills(skills).filter(({ title }) => title.toLowerCase() === target.toLowerCase());
  const [skill] = titled;
  return skill !== undefined && titled.length === 1 ? { ok: true, skill } : failNotFound(skills, target);
}

export function failNotFound(skills: CatalogHolder, target: string): CtxFailure {
  const visible = visibleSkills(skills);
  const names = visible.map(({ name }) => name);
  return { ...failUnknown(visible, target), nearest: nearestNames(names, target) };
}
