import { openJudged, type LocatedSkill } from '../catalog/locate.ts';
import { compareText } from '../model/order.ts';
import { fail, type Outcome } from '../model/outcome.ts';
import { resolveScript, SCRIPT_FOLDER } from '../parse/named-files.ts';

/** Paths of a skill's scripts: those declared in its frontmatter, or else every file in `scripts/`. */
export function listScripts(located: LocatedSkill): readonly string[] {
  const files = new Set(
    openJudged(located)
      .files()
      .files.map(({ path }) => path),
  );
  const look = (path: string): Outcome =>
    files.has(path) ? { ok: true } : fail('RESOURCE_NOT_FOUND', 'the skill has no such file');
  const declared = located.skill.scripts?.flatMap((name) => {
    const found = resolveScript(name, look);
    return found.ok ? [found.path] : [];
  });
  const scripts = declared ?? [...files].filter((path) => path.startsWith(SCRIPT_FOLDER));
  return [...new Set(scripts)].sort(compareText);
}

/** Finds a script by its path, its path below `scripts/`, or the latter without its ending if that is unique. */
export function findScript(located: LocatedSkill, name: string): Outcome<{ readonly path: string }> {
  const scripts = listScripts(located);
  const exact = scripts.find((path) => path === name) ?? scripts.find((path) => path === `${SCRIPT_FOLDER}${name}`);
  const alike = scripts.filter((path) => withoutEnding(path) === `${SCRIPT_FOLDER}${name}`);
  const path = exact ?? (alike.length === 1 ? alike[0] : undefined);
  if (path !== undefined) return { ok: true, path };
  const there = scripts.length === 0 ? 'it has none' : `available: ${scripts.map(shorten).join(', ')}`;
  return fail('RESOURCE_NOT_FOUND', `"${located.skill.name}" has no script "${name}"; ${there}`);
}

function withoutEnding(path: string): string {
  return path.replace(/\.[^./]+$/, '');
}

function shorten(path: string): string {
  return path.startsWith(SCRIPT_FOLDER) ? path.slice(SCRIPT_FOLDER.length) : path;
}
