import { join } from 'node:path';

import { agentFolder } from '../../sources/agent-folders.ts';
import type { HostPlace } from '../host.ts';
import { splitAtFences, type Dialect } from '../seeing/dialect.ts';
import { dropSameFiles, loadFirst } from '../seeing/first-wins.ts';
import type { HostRoot, HostSkill, Reason } from '../seeing/host-skill.ts';
import { projectRoots } from '../seeing/project-roots.ts';
import { readRoot, type Judge, type ReadingRules } from '../seeing/read-walked.ts';
import { isTyped, rawText } from '../seeing/skill-text.ts';
import { upwardFrom } from '../seeing/upward.ts';

/** Seen in 1.0.102. In UTF-16 units. */
const MAX_DESCRIPTION_LENGTH = 1_024;

export function copilotFolder(place: HostPlace): string {
  return agentFolder('copilot', place);
}

export function copilotRoots(place: HostPlace): readonly HostRoot[] {
  const projects = upwardFrom(place.cwd);
  const custom = (place.variables['COPILOT_SKILLS_DIRS'] ?? '').split(',').filter((path) => path !== '');
  return [
    ...projectRoots(projects, '.github/skills', 'private'),
    ...projectRoots(projects, '.agents/skills', 'shared'),
    // The folder in the home is Claude Code's, even for who works there.
    ...projectRoots(
      projects.filter((dir) => dir !== place.home),
      '.claude/skills',
      'shared',
    ),
    { path: join(copilotFolder(place), 'skills'), level: 'user', use: 'private' },
    // A folder of one's own for everything leaves out what other programs share.
    ...(place.variables['COPILOT_HOME']
      ? []
      : [{ path: join(place.home, '.agents', 'skills'), level: 'user', use: 'shared' } as const]),
    ...custom.map((path): HostRoot => ({ path, level: 'user', use: 'private' })),
  ];
}

export function discoverCopilot(place: HostPlace): readonly HostSkill[] {
  return loadFirst(dropSameFiles(copilotRoots(place).flatMap((root) => readRoot(root, COPILOT_RULES))));
}

const judge: Judge = (text, id) => {
  const { fields, body, hasFrontmatter, fault } = text;
  const given = rawText(fields, 'name');
  const name = (given ?? id).replaceAll(' ', '-');
  const description = rawText(fields, 'description')?.replace(/\n+$/, '');
  const loss = findLoss();
  return { name, description: description ?? firstSection(body), loss };

  function findLoss(): Reason | undefined {
    if (!hasFrontmatter) return { because: 'it does not begin with frontmatter', remedy: 'Begin the file with ---.' };
    if (fault !== undefined) return { because: fault, remedy: 'Write the frontmatter as valid YAML.' };
    if (fields.has('name') && (given === undefined || given === '' || isTyped(text, 'name')))
      return { because: 'its name is no text', remedy: 'Write the name as one text, in quotes if need be.' };
    if (!NAME.test(name))
      return {
        because:
          'its name has other characters than letters, digits, colons, dots, dashes and underscores, or more than 64',
        remedy: 'Rename it.',
      };
    if (fields.has('description') && (description === undefined || isTyped(text, 'description')) && description !== '')
      return { because: 'its description is no text', remedy: 'Write the description as one text.' };
    if ((description ?? '').length > MAX_DESCRIPTION_LENGTH)
      return {
        because: `its description has more than ${MAX_DESCRIPTION_LENGTH} characters`,
        remedy: 'Shorten the description.',
      };
    return undefined;
  }
};

const NAME = /^[A-Za-z0-9._:-]{1,64}$/;

/** Stands in for a missing description: the text of the first section. */
function firstSection(body: string): string {
  const lines = body.split(/\r?\n/).map((line) => line.trim());
  const start = lines.findIndex((line) => line !== '' && !line.startsWith('#'));
  if (start === -1) return '';
  const rest = lines.slice(start);
  const end = rest.findIndex((line) => line.startsWith('#'));
  const section = rest.slice(0, end === -1 ? undefined : end).filter((line) => line !== '');
  return section.join(' ').slice(0, MAX_DESCRIPTION_LENGTH);
}

const DIALECT: Dialect = {
  split(text) {
    const unmarked = text.replace(/^\uFEFF/, '');
    const empty = /^---[ \t]*\r?\n---[ \t]*(?:\r?\n|$)/.exec(unmarked);
    return empty === null ? splitAtFences(unmarked) : { yaml: '{}\n', body: unmarked.slice(empty[0].length) };
  },
  refusesTags: true,
  ignoresLists: true,
  duplicates: 'refused',
};

export const COPILOT_RULES: ReadingRules = { depth: 20, takesRoot: true, dialect: DIALECT, judge };
