import type { LocatedSkill } from '../catalog/locate.ts';
import { compareText } from '../model/order.ts';
import { fail, type Outcome } from '../model/outcome.ts';
import { listInside } from '../platform/files/list-inside.ts';

const FOLDER = 'scripts/';

/** The paths of a skill's scripts: those its frontmatter declares, else every file in `scripts/`. */
export function listScripts({ skill, realDir }: LocatedSkill): readonly string[] {
  const files = new Set(listInside(realDir).files.map(({ path }) => path));
  const declared = skill.scripts?.map((name) => [`${FOLDER}${name}`, name].find((path) => files.has(path)));
  const scripts = declared ?? [...files].filter((path) => path.startsWith(FOLDER));
  return [...new Set(scripts.filter((path) => path !== undefined))].sort(compareText);
}

/** Finds a script by its path, its path below `scripts/`, or the latter without its ending if that is unique. */
export function findScript(located: LocatedSkill, name: string): Outcome<{ readonly path: string }> {
  const scripts = listScripts(located);
  const exact = scripts.find((path) => path === name) ?? scripts.find((path) => path === `${FOLDER}${name}`);
  const alike = scripts.filter((path) => withoutEnding(path) === `${FOLDER}${name}`);
  const path = exact ?? (alike.length === 1 ? alike[0] : undefined);
  if (path !== undefined) return { ok: true, path };
  const there = scripts.length === 0 ? 'it has none' : `there are ${scripts.map(shorten).join(', ')}`;
  return fail('RESOURCE_NOT_FOUND', `the skill "${located.skill.name}" has no script "${name}"; ${there}`);
}

function withoutEnding(path: string): string {
  return path.replace(/\.[^./]+$/, '');
}

function shorten(path: string): string {
  return path.startsWith(FOLDER) ? path.slice(FOLDER.length) : path;
}
