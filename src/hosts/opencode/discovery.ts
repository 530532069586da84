import { join } from 'node:path';

import { projectDirectories } from '../../platform/project.ts';
import type { HostPlace } from '../host.ts';
import type { HostRoot, HostSkill } from '../seeing/host-skill.ts';
import { projectRoots } from '../seeing/project-roots.ts';
import { readRoot, type Judge } from '../seeing/read-walked.ts';
import { fieldText } from '../seeing/skill-text.ts';
import type { WalkRules } from '../seeing/walk.ts';

/** Seen in 1.18.33. */
const RULES: WalkRules = { depth: 20, takesRoot: true, entersSkills: true, entersHidden: true };

export function opencodeFolder({ home, variables }: HostPlace): string {
  return join(variables['XDG_CONFIG_HOME'] || join(home, '.config'), 'opencode');
}

export function opencodeRoots(place: HostPlace): readonly HostRoot[] {
  const projects = projectDirectories(place.cwd);
  const own = [opencodeFolder(place), join(place.home, '.opencode')];
  return [
    { path: join(place.home, '.claude', 'skills'), level: 'user', use: 'shared' },
    { path: join(place.home, '.agents', 'skills'), level: 'user', use: 'shared' },
    ...projectRoots(projects, '.claude/skills', 'shared'),
    ...projectRoots(projects, '.agents/skills', 'shared'),
    ...own.flatMap((dir) =>
      ['skill', 'skills'].map((name): HostRoot => ({ path: join(dir, name), level: 'user', use: 'private' })),
    ),
    ...projectRoots(projects, '.opencode/skill', 'private'),
    ...projectRoots(projects, '.opencode/skills', 'private'),
  ];
}

/** Files of one name are read at the same time, and whichever is read last is taken. */
export function discoverOpencode(place: HostPlace): readonly HostSkill[] {
  const found = opencodeRoots(place).flatMap((root) => readRoot(root, RULES, judge));
  const loaded = found.filter(({ loss }) => loss === undefined);
  const byName = Map.groupBy(loaded, ({ name }) => name);
  const first = [...byName.values()].flatMap(([skill, ...others]) => {
    if (skill === undefined) return [];
    return others.length === 0 ? [skill] : [{ ...skill, rivals: others.map(({ file }) => file) }];
  });
  return [...first, ...found.filter(({ loss }) => loss !== undefined)];
}

const judge: Judge = ({ fields }, id) => {
  const name = fieldText(fields, 'name');
  const description = fieldText(fields, 'description') ?? '';
  if (name === undefined)
    return { name: id, description, loss: { because: 'it has no name', remedy: 'Give it a name.' } };
  return { name, description };
};
