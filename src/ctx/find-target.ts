import { listNearest, nearestNames, quoteName } from '../agent/unknown-skill.ts';
import {
  explainBroken,
  findBrokenSkill,
  findVisible,
  visibleSkills,
  type CatalogHolder,
} from '../agent/visible-skills.ts';
import { fail } from '../model/outcome.ts';
import type { Skill } from '../model/skill.ts';
import type { CtxFailure } from './answer.ts';

export type Target = { readonly ok: true; readonly skill: Skill } | CtxFailure;

/** Finds the skill that a statement names: by name or id, else by a unique title. */
export function findTarget(skills: CatalogHolder, target: string): Target {
  const known = { skills, visible: visibleSkills(skills) };
  const skill = findNamed(known, target) ?? findTitled(known, target);
  if (skill !== undefined) return { ok: true, skill };
  return explainBroken(skills, target) ?? failNotFound(skills, target);
}

/** Also finds broken skills, which can be rewritten and removed. */
export function findWritten(skills: CatalogHolder, target: string): Target {
  const found = findTarget(skills, target);
  const broken = found.ok ? undefined : findBrokenSkill(skills, target);
  return broken === undefined ? found : { ok: true, skill: broken };
}

export type SkillOrFile = { readonly ok: true; readonly skill: Skill; readonly path: string | undefined } | CtxFailure;

/**
 * Finds the skill or the file of a skill (`name/path`) that a statement names. Names may contain slashes themselves: the
 * longest one that exists wins. Titles come last, since anyone may choose one that looks like a file of another skill.
 */
export function findSkillOrFile(skills: CatalogHolder, target: string): SkillOrFile {
  const known = { skills, visible: visibleSkills(skills) };
  const readings = listReadings(target);
  for (const find of [findNamed, findTitled])
    for (const { name, path } of readings) {
      const skill = find(known, name);
      if (skill !== undefined) return { ok: true, skill, path };
    }
  const name = readings.at(-1)?.name ?? target;
  return explainBroken(skills, name) ?? failNotFound(skills, name);
}

export function failNotFound(skills: CatalogHolder, target: string): CtxFailure {
  const visible = visibleSkills(skills);
  const names = visible.map(({ name }) => name);
  const message = `Unknown skill: ${quoteName(target)}. Available: ${listNearest(names, [target])}`;
  return { ...fail('SKILL_NOT_FOUND', message), nearest: nearestNames(names, target) };
}

interface Known {
  readonly skills: CatalogHolder;
  readonly visible: readonly Skill[];
}

function findNamed({ skills, visible }: Known, target: string): Skill | undefined {
  const folded = target.toLowerCase();
  const isNamed = visible.some(({ name, id }) => name.toLowerCase() === folded || id.toLowerCase() === folded);
  // Saves a search for similar names where there is no such skill.
  const found = isNamed ? findVisible(skills, target) : undefined;
  return found?.ok === true ? found.skill : undefined;
}

function findTitled({ visible }: Known, target: string): Skill | undefined {
  const folded = target.toLowerCase();
  const titled = visible.filter(({ title }) => title.toLowerCase() === folded);
  return titled.length === 1 ? titled[0] : undefined;
}

interface Reading {
  readonly name: string;
  readonly path: string | undefined;
}

/** A name may end at one of so many slashes; a target can hold thousands. */
const MAX_SLASHES = 8;

/** The ways to read a target, the longest name first. */
function listReadings(target: string): readonly Reading[] {
  const slashes = Array.from(target.matchAll(/(?!^)\//g), ({ index }) => index);
  const split = slashes
    .slice(0, MAX_SLASHES)
    .toReversed()
    .map((at) => ({ name: target.slice(0, at), path: target.slice(at + 1) }));
  return [{ name: target, path: undefined }, ...split];
}
