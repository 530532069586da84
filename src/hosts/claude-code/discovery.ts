import { join } from 'node:path';

import type { HostPlace } from '../host.ts';
import { quoteValues, type Dialect } from '../seeing/dialect.ts';
import { dropSameFiles, loadFirst } from '../seeing/first-wins.ts';
import type { HostRoot, HostSkill } from '../seeing/host-skill.ts';
import { projectRoots } from '../seeing/project-roots.ts';
import { readRoot, type Judge, type ReadingRules } from '../seeing/read-walked.ts';
import { fieldText } from '../seeing/skill-text.ts';
import { upwardFrom } from '../seeing/upward.ts';
import { claudeFolder } from './folder.ts';
import { pluginRoots, type PluginRoot } from './plugins.ts';

/** Seen in 2.1.325. */
const MAX_FILE_BYTES = 1_000_000;
const MAX_TITLE_LENGTH = 256;
const MAX_FALLBACK_LENGTH = 100;
const ADMIN_FOLDERS = ['/etc/claude-code', '/Library/Application Support/ClaudeCode'];

/** The program sorts by the user's language; this is the order of most. */
const COLLATOR = new Intl.Collator('en');

/** Managed, user, then the project from the working directory upwards: the first of a name wins. */
export function claudeRoots(place: HostPlace): readonly HostRoot[] {
  return [
    ...ADMIN_FOLDERS.map((dir): HostRoot => ({ path: join(dir, '.claude', 'skills'), level: 'admin', use: 'host' })),
    { path: join(claudeFolder(place), 'skills'), level: 'user', use: 'shared' },
    ...projectRoots(upwardFrom(place.cwd, place.home), '.claude/skills', 'shared'),
  ];
}

export function discoverClaude(place: HostPlace): readonly HostSkill[] {
  const found = [...claudeRoots(place).flatMap(readSorted), ...pluginRoots(place).flatMap(readPlugin)];
  return loadFirst(dropSameFiles(found));
}

function readSorted(root: HostRoot): readonly HostSkill[] {
  return [...readRoot(root, CLAUDE_RULES)].sort((a, b) => COLLATOR.compare(a.name, b.name));
}

function readPlugin({ plugin, only, ...root }: PluginRoot): readonly HostSkill[] {
  return readSorted(root)
    .filter(({ name }) => only === undefined || name === only)
    .map((skill) => ({
      ...skill,
      name: `${plugin}:${skill.name}`,
      title: skill.title === undefined ? undefined : `${plugin}:${skill.title}`,
    }));
}

/** The folder's name is the skill's name, whatever the file says. */
const judge: Judge = ({ fields, body, bytes }, id) => {
  const title = fieldText(fields, 'name');
  const tooLarge = {
    because: `its file is larger than ${MAX_FILE_BYTES} bytes`,
    remedy: 'Move parts of it into files beside it.',
  };
  const hasTitle = title !== undefined && title !== id && title.length <= MAX_TITLE_LENGTH && TITLE.test(title);
  return {
    name: id,
    title: hasTitle ? title : undefined,
    description: harmless(fieldText(fields, 'description') ?? firstLine(body)),
    loss: bytes > MAX_FILE_BYTES ? tooLarge : undefined,
  };
};

const TITLE = /^[\p{L}\p{M}\p{N}_:.-]+$/u;

/** Stands in for a missing description. */
function firstLine(body: string): string {
  const line =
    body
      .split('\n')
      .find((each) => each.trim() !== '')
      ?.trim() ?? 'Skill';
  const text = /^#+\s+(\S.*)$/.exec(line)?.[1] ?? line;
  return text.length > MAX_FALLBACK_LENGTH ? `${text.slice(0, MAX_FALLBACK_LENGTH - 3)}...` : text;
}

/** As the list has it: on one line, and without tags. */
function harmless(text: string): string {
  return text
    .replaceAll(/\p{Cc}/gu, ' ')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;');
}

const DIALECT: Dialect = {
  split(text) {
    const unmarked = text.startsWith('\uFEFF') ? text.slice(1) : text;
    const match = unmarked.includes('---', 3) ? /^---\s*\n([^]*?)---\s*\n?/.exec(unmarked) : null;
    return match === null ? undefined : { yaml: match[1] ?? '', body: unmarked.slice(match[0].length) };
  },
  recover: (yaml) => quoteValues(yaml.replaceAll(/^\t+/gm, (tabs) => '  '.repeat(tabs.length))),
  duplicates: 'last',
};

export const CLAUDE_RULES: ReadingRules = {
  depth: 1,
  entersHidden: true,
  skips: new Set(['synced']),
  dialect: DIALECT,
  judge,
};
