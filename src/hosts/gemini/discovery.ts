import { join } from 'node:path';

import type { FrontmatterMap } from '../../model/skill.ts';
import type { HostPlace } from '../host.ts';
import { readHostFields, type Dialect } from '../seeing/dialect.ts';
import type { HostRoot, HostSkill, Reason } from '../seeing/host-skill.ts';
import { readRoot, type Judge, type ReadingRules } from '../seeing/read-walked.ts';
import { findQuoted, isTyped, rawText } from '../seeing/skill-text.ts';
import { activeExtensions } from './extensions.ts';
import { geminiFolder, geminiHome } from './folder.ts';
import { isTrustedFolder } from './trust.ts';

/** Later ones win. Seen in 0.61.0. */
export function geminiRoots(place: HostPlace): readonly HostRoot[] {
  return [
    ...activeExtensions(place).map((dir): HostRoot => ({ path: join(dir, 'skills'), level: 'plugin', use: 'host' })),
    { path: join(geminiFolder(place), 'skills'), level: 'user', use: 'private' },
    { path: join(geminiHome(place), '.agents', 'skills'), level: 'user', use: 'shared' },
    { path: join(place.cwd, '.gemini', 'skills'), level: 'project', use: 'private' },
    { path: join(place.cwd, '.agents', 'skills'), level: 'project', use: 'shared' },
  ];
}

export function discoverGemini(place: HostPlace): readonly HostSkill[] {
  const isTrusted = isTrustedFolder(place);
  const found = geminiRoots(place).flatMap((root) =>
    readRoot(root, GEMINI_RULES).map((skill) =>
      root.level === 'project' && !isTrusted ? { ...skill, loss: skill.loss ?? UNTRUSTED } : skill,
    ),
  );
  return takeLast(found);
}

const UNTRUSTED: Reason = {
  because: 'the folder of the project is not trusted',
  remedy: 'Start Gemini in the folder and trust it, or set GEMINI_CLI_TRUST_WORKSPACE=true.',
};

/** The last folder of a name wins. Within one folder the order is that of the file system, so it is not known. */
function takeLast(found: readonly HostSkill[]): readonly HostSkill[] {
  const loaded = found.filter(({ loss }) => loss === undefined);
  const byName = Map.groupBy(loaded, ({ name }) => name);
  return found.flatMap((skill) => {
    const same = byName.get(skill.name) ?? [];
    const last = same.at(-1);
    if (skill.loss !== undefined || last === undefined || same.length === 1) return [skill];
    const candidates = same.filter(({ root }) => root === last.root);
    if (skill.root !== last.root) return [{ ...skill, loss: hiddenBy(last) }];
    if (skill !== candidates[0]) return [];
    const rivals = candidates.slice(1).map(({ file }) => file);
    return [rivals.length === 0 ? skill : { ...skill, rivals }];
  });
}

function hiddenBy({ file }: HostSkill): Reason {
  return { because: `${file} has the same name and comes later`, remedy: 'Rename one of the two, or remove one.' };
}

const judge: Judge = ({ fields, hasFrontmatter }, id) => {
  const name = rawText(fields, 'name')?.replaceAll(/[:\\/<>*?"|]/g, '-');
  const description = rawText(fields, 'description');
  if (name !== undefined && description !== undefined) return { name, description };
  const missing = name === undefined ? 'name' : 'description';
  const loss = hasFrontmatter
    ? { because: `it has no ${missing}`, remedy: `Give it a ${missing}.` }
    : { because: 'it does not begin with frontmatter', remedy: 'Begin the file with ---, without anything before it.' };
  return { name: name ?? id, description: description ?? '', loss };
};

const PLAIN: Dialect = { split: () => undefined, refusesTags: true, duplicates: 'refused' };

/** Unless YAML gives a text for both fields, the lines are read one by one. */
function readGeminiFields(yaml: string): FrontmatterMap {
  const read = readHostFields(yaml, PLAIN);
  if (!read.ok) return readLines(yaml);
  const { fields } = read;
  const quoted = findQuoted(yaml);
  const isText = (key: string): boolean => rawText(fields, key) !== undefined && !isTyped({ fields, quoted }, key);
  return ['name', 'description'].every(isText) ? fields : readLines(yaml);
}

function readLines(yaml: string): FrontmatterMap {
  const fields = new Map<string, string>();
  let isDescription = false;
  for (const line of yaml.split('\n')) {
    const [, key, value = ''] = /^\s*(name|description):\s*(.*)$/.exec(line) ?? [];
    if (isDescription && /^[ \t]+\S/.test(line))
      fields.set('description', [fields.get('description') ?? '', line.trim()].filter(Boolean).join(' '));
    else if (key === undefined) isDescription = false;
    else {
      fields.set(key, value.trim());
      isDescription = key === 'description';
    }
  }
  return fields;
}

const DIALECT: Dialect = {
  split(text) {
    const match = /^---\r?\n([^]*?)\r?\n---(?:\r?\n([^]*))?/.exec(text);
    return match === null ? undefined : { yaml: `${match[1] ?? ''}\n`, body: match[2] ?? '' };
  },
  read: readGeminiFields,
  duplicates: 'refused',
};

export const GEMINI_RULES: ReadingRules = {
  depth: 1,
  takesRoot: true,
  entersSkills: true,
  skips: new Set(['node_modules']),
  dialect: DIALECT,
  judge,
};
