import { delimiter, join } from 'node:path';

import { countCodePoints } from '../../parse/code-points.ts';
import type { HostPlace } from '../host.ts';
import { splitAtFences, type Dialect } from '../seeing/dialect.ts';
import { dropSameFiles, loadFirst } from '../seeing/first-wins.ts';
import type { HostRoot, HostSkill, Reason } from '../seeing/host-skill.ts';
import { projectRoots } from '../seeing/project-roots.ts';
import { readRoot, type Judge, type ReadingRules } from '../seeing/read-walked.ts';
import { isTyped, rawText } from '../seeing/skill-text.ts';
import { upwardFrom } from '../seeing/upward.ts';

/** Seen in 1.0.102. */
const MAX_DESCRIPTION_LENGTH = 1_024;

export function copilotFolder({ home, variables }: HostPlace): string {
  return variables['COPILOT_HOME'] || join(home, '.copilot');
}

export function copilotRoots(place: HostPlace): readonly HostRoot[] {
  const projects = upwardFrom(place.cwd);
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
  return loadFirst(dropSameFiles(copilotRoots(place).flatMap((root) => readRoot(root, COPILOT_RULES))));
}

const judge: Judge = ({ fields, body, hasFrontmatter, fault }, id) => {
  const given = rawText(fields, 'name');
  const name = (given ?? id).replaceAll(' ', '-');
  const description = rawText(fields, 'description')?.trim();
  const loss = findLoss();
  return { name, description: description ?? firstParagraph(body), loss };

  function findLoss(): Reason | undefined {
    if (!hasFrontmatter) return { because: 'it does not begin with frontmatter', remedy: 'Begin the file with ---.' };
    if (fault !== undefined) return { because: fault, remedy: 'Write the frontmatter as valid YAML.' };
    if (given !== undefined && isTyped(given))
      return { because: `its name ${given} is no text`, remedy: 'Put the name in quotes.' };
    if (!NAME.test(name))
      return {
        because: 'its name has other characters than letters, digits, dots, dashes and underscores, or more than 64',
        remedy: 'Rename it.',
      };
    if (fields.has('description') && (description === undefined || isTyped(description)) && description !== '')
      return { because: 'its description is no text', remedy: 'Write the description as one text.' };
    if (countCodePoints(description ?? '') > MAX_DESCRIPTION_LENGTH)
      return {
        because: `its description has more than ${MAX_DESCRIPTION_LENGTH} characters`,
        remedy: 'Shorten the description.',
      };
    return undefined;
  }
};

const NAME = /^[A-Za-z0-9._-]{1,64}$/;

/** Stands in for a missing description: the first lines that are no heading. */
function firstParagraph(body: string): string {
  const paragraph = body
    .split(/\r?\n\s*\r?\n/)
    .map((part) => part.split(/\r?\n/).filter((line) => line.trim() !== '' && !line.startsWith('#')))
    .find((lines) => lines.length > 0);
  return (paragraph ?? []).map((line) => line.trim()).join(' ');
}

const DIALECT: Dialect = {
  split: (text) => splitAtFences(text.replace(/^\uFEFF/, '')),
  ignoresLists: true,
  duplicates: 'refused',
};

export const COPILOT_RULES: ReadingRules = { depth: 20, takesRoot: true, dialect: DIALECT, judge };
