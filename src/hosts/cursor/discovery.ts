import { dirname, join, relative } from 'node:path';

import { projectDirectories } from '../../platform/project.ts';
import type { HostPlace } from '../host.ts';
import { quoteValues, splitAtFences, type Dialect } from '../seeing/dialect.ts';
import { dropSameFiles, loadFirst } from '../seeing/first-wins.ts';
import type { HostRoot, HostSkill } from '../seeing/host-skill.ts';
import { readRoot, type Judge, type ReadingRules } from '../seeing/read-walked.ts';
import { fieldText } from '../seeing/skill-text.ts';

/** Read in the source of SDK 1.0.32. */
const CONFIG_FOLDERS = ['.cursor', '.claude', '.codex', '.grok', '.agents'];

export function cursorFolder({ home }: HostPlace): string {
  return join(home, '.cursor');
}

export function cursorRoots(place: HostPlace): readonly HostRoot[] {
  const workspace = projectDirectories(place.cwd).at(-1) ?? place.cwd;
  const below = (dir: string, level: 'project' | 'user'): readonly HostRoot[] =>
    CONFIG_FOLDERS.map((name) => ({
      path: join(dir, name, 'skills'),
      level,
      use: name === '.cursor' ? 'private' : 'shared',
    }));
  return [
    ...below(workspace, 'project'),
    ...below(place.home, 'user'),
    { path: join(cursorFolder(place), 'skills-cursor'), level: 'bundled', use: 'host' },
  ];
}

/** One folder's name in several of the configuration folders of one place is one skill: the first. */
export function discoverCursor(place: HostPlace): readonly HostSkill[] {
  const found = cursorRoots(place).flatMap((root) => readRoot(root, CURSOR_RULES));
  const keyOf = ({ root, file }: HostSkill): string => `${root.level}:${relative(root.path, dirname(file))}`;
  return loadFirst(dropSameFiles(found), keyOf);
}

const judge: Judge = ({ fields }, id) => {
  const description = fieldText(fields, 'description') ?? '';
  const name = fieldText(fields, 'name') ?? id;
  return description === ''
    ? { name, description, loss: { because: 'it has no description', remedy: 'Give it a description.' } }
    : { name, description };
};

const DIALECT: Dialect = { split: splitAtFences, recover: quoteValues, duplicates: 'refused' };

export const CURSOR_RULES: ReadingRules = {
  depth: 10,
  entersSkills: true,
  skips: new Set(['node_modules', '__pycache__', 'dist', 'build']),
  dialect: DIALECT,
  judge,
};
