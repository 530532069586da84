import { basename, dirname } from 'node:path';

import type { Skill } from '../../model/skill.ts';
import { realPath } from '../../platform/files/files.ts';
import type { HostView, SeenSkill } from './view-host.ts';

/** Finds skills as a host sees them: by the host's name for it, the name in the file, or the folder's. */
export function findInView(view: HostView, name: string): readonly SeenSkill[] {
  return indexNames(view)(name);
}

/** Finds skills as `findInView` does, for many names. */
export function indexNames({ skills }: HostView): (name: string) => readonly SeenSkill[] {
  const exact = Map.groupBy(skills, ({ skill }) => skill.name);
  const byName = new Map<string, SeenSkill[]>();
  for (const seen of skills) {
    const { name, title, file } = seen.skill;
    for (const each of new Set([name, title, name.split(':').at(-1), basename(dirname(file))])) {
      const known = each === undefined ? undefined : byName.get(each);
      if (known !== undefined) known.push(seen);
      else if (each !== undefined) byName.set(each, [seen]);
    }
  }
  return (name) => exact.get(name) ?? byName.get(name) ?? [];
}

/** Finds a file in an agent's view; undefined if the agent does not find it. */
export function indexFiles({ skills }: HostView): (file: string) => SeenSkill | undefined {
  const byFile = new Map<string, SeenSkill>();
  for (const seen of skills.toReversed()) {
    const { realFile } = seen.skill;
    if (seen.standing !== 'lost' || !byFile.has(realFile)) byFile.set(realFile, seen);
  }
  return (file) => byFile.get(realPath(file) ?? file);
}

/** The skills with the state that each has for a host, and why. Of several copies, those that the host comes across. */
export function skillsSeenBy(view: HostView, copies: readonly Skill[]): readonly Skill[] {
  const find = indexFiles(view);
  return [...Map.groupBy(copies, ({ name }) => name).values()].flatMap((same) => {
    const known = same.filter(({ file }) => find(file) !== undefined);
    return (known.length > 0 ? known : same.slice(0, 1)).map((skill) => withState(skill, find(skill.file), view));
  });
}

function withState(copy: Skill, seen: SeenSkill | undefined, { host: { title } }: HostView): Skill {
  if (copy.status === 'broken') return copy;
  const skill: Skill = { ...copy, shadows: [], shadowedBy: undefined };
  if (seen === undefined)
    return { ...skill, status: 'unavailable', reasons: [`${title} does not read ${dirname(skill.dir)}`] };
  if (seen.standing === 'described' || seen.standing === 'named') return { ...skill, status: 'enabled', reasons: [] };
  const reasons = [seen.because ?? `${title} does not list it`];
  return { ...skill, status: seen.standing === 'hidden' ? 'disabled' : 'unavailable', reasons };
}
