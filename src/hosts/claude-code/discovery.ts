import { join } from 'node:path';

import { projectDirectories } from '../../platform/project.ts';
import type { HostPlace } from '../host.ts';
import { dropSameFiles, loadFirst } from '../seeing/first-wins.ts';
import type { HostRoot, HostSkill } from '../seeing/host-skill.ts';
import { projectRoots } from '../seeing/project-roots.ts';
import { readRoot, type Judge } from '../seeing/read-walked.ts';
import { fieldText } from '../seeing/skill-text.ts';
import type { WalkRules } from '../seeing/walk.ts';
import { claudeFolder } from './folder.ts';

/** Seen in 2.1.325. */
const RULES: WalkRules = { depth: 1, skips: new Set(['synced']) };
const MAX_FILE_BYTES = 1_000_000;
const ADMIN_FOLDERS = ['/etc/claude-code', '/Library/Application Support/ClaudeCode'];

/** Managed, user, then the project from the working directory up to the repository's root: the first of a name wins. */
export function claudeRoots(place: HostPlace): readonly HostRoot[] {
  const projects = projectDirectories(place.cwd).filter((dir) => dir !== place.home);
  return [
    ...ADMIN_FOLDERS.map((dir): HostRoot => ({ path: join(dir, '.claude', 'skills'), level: 'admin', use: 'host' })),
    { path: join(claudeFolder(place), 'skills'), level: 'user', use: 'shared' },
    ...projectRoots(projects, '.claude/skills', 'shared'),
  ];
}

export function discoverClaude(place: HostPlace): readonly HostSkill[] {
  return loadFirst(dropSameFiles(claudeRoots(place).flatMap((root) => readRoot(root, RULES, judge))));
}

/** The folder's name is the skill's name, whatever the file says. */
const judge: Judge = ({ fields, body, bytes }, id) => {
  const title = fieldText(fields, 'name');
  const tooLarge = {
    because: `its file is larger than ${MAX_FILE_BYTES} bytes`,
    remedy: 'Move parts of it into files beside it.',
  };
  return {
    name: id,
    title: title === id ? undefined : title,
    description: fieldText(fields, 'description') ?? firstLine(body),
    loss: bytes > MAX_FILE_BYTES ? tooLarge : undefined,
  };
};

/** Stands in for a missing description. */
function firstLine(body: string): string {
  const line = body.split('\n').find((each) => each.trim() !== '') ?? '';
  return line.replace(/^#+\s*/, '').trim();
}
