import { delimiter, join } from 'node:path';

import { projectDirectories } from '../../platform/project.ts';
import type { HostPlace } from '../host.ts';
import { dropSameFiles, loadFirst } from '../seeing/first-wins.ts';
import type { HostRoot, HostSkill } from '../seeing/host-skill.ts';
import { projectRoots } from '../seeing/project-roots.ts';
import { readRoot, type Judge } from '../seeing/read-walked.ts';
import { fieldText } from '../seeing/skill-text.ts';
import type { WalkRules } from '../seeing/walk.ts';

/** Seen in 1.0.102. */
const RULES: WalkRules = { depth: 20 };

export function copilotFolder({ home, variables }: HostPlace): string {
  return variables['COPILOT_HOME'] || join(home, '.copilot');
}

export function copilotRoots(place: HostPlace): readonly HostRoot[] {
  const projects = projectDirectories(place.cwd);
  const custom = (place.variables['COPILOT_SKILLS_DIRS'] ?? '').split(delimiter).filter((path) => path !== '');
  return [
    ...projectRoots(projects, '.github/skills', 'private'),
    ...projectRoots(projects, '.agents/skills', 'shared'),
    ...projectRoots(projects, '.claude/skills', 'shared'),
    { path: join(copilotFolder(place), 'skills'), level: 'user', use: 'private' },
    // A folder of one's own for everything leaves out what other programs share.
    ...(place.variables['COPILOT_HOME']
      ? []
      : [{ path: join(place.home, '.agents', 'skills'), level: 'user', use: 'shared' } as const]),
    ...custom.map((path): HostRoot => ({ path, level: 'user', use: 'private' })),
  ];
}

export function discoverCopilot(place: HostPlace): readonly HostSkill[] {
  return loadFirst(dropSameFiles(copilotRoots(place).flatMap((root) => readRoot(root, RULES, judge))));
}

const judge: Judge = ({ fields, body }, id) => ({
  name: (fieldText(fields, 'name') ?? id).replaceAll(' ', '-'),
  description: fieldText(fields, 'description') ?? body.split('\n', 1)[0] ?? '',
});
