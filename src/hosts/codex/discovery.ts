import { join } from 'node:path';

import { compareText } from '../../model/order.ts';
import { countCodePoints } from '../../parse/code-points.ts';
import { realPath } from '../../platform/files/files.ts';
import { projectDirectories } from '../../platform/project.ts';
import { agentFolder } from '../../sources/agent-folders.ts';
import type { HostPlace } from '../host.ts';
import { quoteValues, splitAtFences, type Dialect } from '../seeing/dialect.ts';
import { dropSameFiles } from '../seeing/first-wins.ts';
import type { HostRoot, HostSkill, Reason } from '../seeing/host-skill.ts';
import { projectRoots } from '../seeing/project-roots.ts';
import { readRoot, type Judge, type ReadingRules } from '../seeing/read-walked.ts';
import { fieldText } from '../seeing/skill-text.ts';

/** Seen in 0.166.0. */
const MAX_NAME_LENGTH = 64;
const ADMIN_FOLDER = '/etc/codex/skills';
const LIST_ORDER: readonly HostRoot['level'][] = ['bundled', 'admin', 'project', 'user', 'plugin'];

export function codexFolder(place: HostPlace): string {
  return agentFolder('codex', place);
}

export function codexRoots(place: HostPlace): readonly HostRoot[] {
  const own = join(codexFolder(place), 'skills');
  const projects = projectDirectories(place.cwd);
  // Its own folder stays the user's where the home itself is a project.
  const others = projects.filter((dir) => join(dir, '.codex', 'skills') !== own);
  return [
    ...projectRoots(others, '.codex/skills', 'private'),
    { path: own, level: 'user', use: 'private' },
    { path: join(place.home, '.agents', 'skills'), level: 'user', use: 'shared' },
    { path: join(own, '.system'), level: 'bundled', use: 'host' },
    { path: ADMIN_FOLDER, level: 'admin', use: 'host' },
    ...projectRoots(projects.toReversed(), '.agents/skills', 'shared'),
  ];
}

/** Skills of the same name all stay; a skill that is reached twice counts once. */
export function discoverCodex(place: HostPlace): readonly HostSkill[] {
  const found = codexRoots(place).flatMap((root) =>
    readRoot(
      { ...root, path: realPath(root.path) ?? root.path },
      root.level === 'bundled' ? BUNDLED_RULES : CODEX_RULES,
    ),
  );
  const rank = ({ root }: HostSkill): number => LIST_ORDER.indexOf(root.level);
  return [...dropSameFiles(found)].sort(
    (a, b) => rank(a) - rank(b) || compareText(a.name, b.name) || compareText(a.file, b.file),
  );
}

const judge: Judge = ({ fields, fault, hasFrontmatter }, id) => {
  const description = onOneLine(fieldText(fields, 'description') ?? '');
  const name = onOneLine(fieldText(fields, 'name') ?? id);
  const loss = findLoss();
  return { name, description, loss };

  function findLoss(): Reason | undefined {
    if (!hasFrontmatter)
      return { because: 'it has no frontmatter in its first line', remedy: 'Begin the file with ---.' };
    if (fault !== undefined) return { because: fault, remedy: 'Write the frontmatter as valid YAML.' };
    if (description === '') return { because: 'it has no description', remedy: 'Give it a description.' };
    if (fields.has('name') && typeof fields.get('name') !== 'string' && fields.get('name') !== null)
      return { because: 'its name is no text', remedy: 'Write the name as one text.' };
    const isLong = countCodePoints(name) > MAX_NAME_LENGTH;
    return isLong
      ? { because: `its name has more than ${MAX_NAME_LENGTH} characters`, remedy: 'Shorten it.' }
      : undefined;
  }
};

function onOneLine(text: string): string {
  return text
    .split(/\s+/)
    .filter((word) => word !== '')
    .join(' ');
}

const DIALECT: Dialect = {
  // Fences may have spaces around them; a file that is not UTF-8 is not read.
  split: (text) => (text.includes('\uFFFD') ? undefined : splitAtFences(text.replaceAll(/^[ \t]*---[ \t]*$/gm, '---'))),
  recover: (yaml) => (/^\t/m.test(yaml) ? undefined : quoteValues(yaml, '-%*')),
  duplicates: 'refused',
};

export const CODEX_RULES: ReadingRules = {
  depth: 6,
  takesRoot: true,
  entersSkills: true,
  followsFileLinks: false,
  dialect: DIALECT,
  judge,
};
const BUNDLED_RULES: ReadingRules = { ...CODEX_RULES, followsLinks: false };
