import { join } from 'node:path';

import type { FrontmatterMap, FrontmatterValue, Skill } from '../../model/skill.ts';
import { isInside, realPath } from '../../platform/files/files.ts';
import type { Host, HostPlace } from '../host.ts';
import type { HostSkill } from '../seeing/host-skill.ts';

/** The state of one skill for a host. `off`: the host has it, and a switch keeps it from the model. */
export type SkillForHost = { readonly name: string; readonly state: 'seen' | 'unseen' | 'off' };

/** Finds out about one skill alone, as far as its place and the host's switches say it: replaying everything takes too long. */
export function skillForHost(skill: Skill, host: Host, place: HostPlace): SkillForHost {
  const name = host.naming === 'directory' ? skill.id : skill.name;
  const found = findInRoots(skill, host, place);
  if (found === undefined) return { name: skill.name, state: 'unseen' };
  const held = host.switch.read(place).stateOf({ ...found, name });
  return { name, state: held?.state === 'hidden' ? 'off' : 'seen' };
}

function findInRoots(skill: Skill, host: Host, place: HostPlace): HostSkill | undefined {
  const realFile = realPath(skill.file);
  if (realFile === undefined) return undefined;
  const common = { name: skill.name, description: skill.description, realFile, fields: fieldsOf(skill) };
  for (const root of host.roots(place)) {
    const file = join(root.path, skill.id, 'SKILL.md');
    const isThere = realPath(file) === realFile;
    if (isThere || isInside(realFile, realPath(root.path) ?? root.path))
      return { ...common, root, file: isThere ? file : skill.file };
  }
  return undefined;
}

/** The fields by which skills switch themselves off. */
function fieldsOf({ hidden, globs, extra }: Skill): FrontmatterMap {
  const { paths } = extra;
  const fields = new Map<string, FrontmatterValue>();
  if (hidden) fields.set('disable-model-invocation', 'true');
  if (globs.length > 0) fields.set('globs', globs);
  if (typeof paths === 'string') fields.set('paths', paths);
  else if (Array.isArray(paths))
    fields.set(
      'paths',
      paths.filter((path) => typeof path === 'string'),
    );
  return fields;
}
