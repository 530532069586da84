import { MAX_LOCK_BYTES } from '../model/limits.ts';
import { PROJECT_SKILLS, type LockedFile, type LockedSkill } from '../model/lock.ts';
import { ORIGIN_FIELDS, SHA256, type Origin, type OriginField } from '../model/origin.ts';
import { fail, type Outcome } from '../model/outcome.ts';
import { fileFailure, readPlainYaml, type FileFailure } from '../parse/yaml/plain-yaml.ts';
import { renderAddress } from '../parse/yaml/render-yaml.ts';
import { readOwnText } from '../platform/files/files.ts';
import {
  listKind,
  mappingOf,
  missingAs,
  oneOf,
  recordOf,
  right,
  textKind,
  that,
  truthKind,
  wrong,
  type Kind,
} from './kinds.ts';

export const LOCK_NAME = 'skills-lock.yaml';

/** Reads a `skills-lock.yaml`; a missing file is an empty lock. An invalid file is a failure and is never written. */
export function readLock(file: string): Outcome<{ readonly skills: readonly LockedSkill[] }> {
  const read = readOwnText(file);
  if (!read.ok) return read;
  if (read.text === undefined) return { ok: true, skills: [] };
  const parsed = parseLock(read.text);
  if (parsed.ok) return parsed;
  return fail('CONFIG_INVALID', `${file}:${parsed.line}: ${parsed.message}`, {
    either: [{ edit: file }, { ask: 'user', to: 'Restore it from a backup.' }],
  });
}

/** Parses a `skills-lock.yaml`. A text that was emptied or cut short is a failure: it would make installed skills be forgotten. */
export function parseLock(text: string): Outcome<{ readonly skills: readonly LockedSkill[] }, FileFailure> {
  const read = readPlainYaml(text, MAX_LOCK_BYTES);
  if (!read.ok) return read;
  if (read.value === null || read.value === undefined) return fileFailure(1, `is empty${DAMAGE}`);
  const lines = text.trimEnd().split('\n');
  if (text.includes(END_NOTE) && lines.at(-1)?.trim() !== END) return fileFailure(lines.length, `has no end${DAMAGE}`);
  const checked = LOCK.check(read.value);
  if (checked.ok) {
    const skills = Object.entries(checked.value.skills);
    return { ok: true, skills: skills.map(([name, skill]) => ({ name, ...skill })) };
  }
  const [{ path, message }] = checked.faults;
  return fileFailure(read.lineOf(path), `${path.join('.')}: ${message}`);
}

const DAMAGE = '; the file was truncated';

/** Part of every lock that ends with `END`; older ones have neither. */
const END_NOTE = 'A line of three dots ends it.';
/** The end of a YAML document. Without it, the file was cut short. */
const END = '...';

const HEADING = `# What is installed here, exactly. Written by skillplane; keep it under version control with its project.
# ${END_NOTE}
`;

/** The text of a `skills-lock.yaml`; the order of the entries does not matter. */
export function renderLock(skills: readonly LockedSkill[]): string {
  const isOld = skills.every(({ origin }) => isOldKind(origin));
  const version = skills.some(({ folder }) => folder !== undefined) ? 3 : isOld ? 1 : 2;
  const heading = `${HEADING}version: ${version}\n`;
  if (skills.length === 0) return `${heading}skills: {}\n${END}\n`;
  const sorted = skills.toSorted((a, b) => (a.name < b.name ? -1 : 1));
  return `${heading}skills:\n${sorted.map(renderSkill).join('')}${END}\n`;
}

function renderSkill({ name, origin, path, folder, held, digest, files }: LockedSkill): string {
  const fields: Readonly<Record<string, string | undefined>> = {
    ...origin,
    kind: isOldKind(origin) ? undefined : origin.kind,
    path: path === '' ? undefined : path,
    folder,
    digest,
  };
  const names = ['kind', 'url', 'ref', ...Object.keys(ORIGIN_FIELDS[origin.kind]), 'path', 'folder', 'digest'];
  const lines = names.flatMap((field) => {
    const value = fields[field];
    return value === undefined ? [] : [`    ${field}: ${renderAddress(value)}\n`];
  });
  const list = files.length === 0 ? ' []\n' : `\n${files.map(renderFile).join('')}`;
  const hold = held === true ? '    held: true\n' : '';
  return `  ${renderAddress(name)}:\n${lines.join('')}${hold}    files:${list}`;
}

function renderFile({ path, digest, executable }: LockedFile): string {
  const last = executable ? '        executable: true\n' : '';
  return `      - path: ${renderAddress(path)}\n        digest: ${digest}\n${last}`;
}

/**
 * Version 1 knows git and directories. A lock with other origins has version 2, one with skills in `.agents/skills` version 3:
 * older programs refuse to change them.
 */
const LOCK_VERSIONS = [1, 2, 3] as const;

/** Kinds of version 1, whose entries have no `kind`: those with a commit are repositories. */
function isOldKind({ kind }: Origin): boolean {
  return kind === 'git' || kind === 'directory';
}

const PATH = that(textKind, staysInside, 'leads out of its folder');
const TREE_DIGEST = that(textKind, (text) => SHA256.pattern.test(text), SHA256.message);
const MAYBE_TEXT = missingAs(undefined, textKind);

const LOCKED_FILE = mappingOf<LockedFile>(
  { path: PATH, digest: TREE_DIGEST, executable: missingAs(false, truthKind) },
  'must be a file with its digest',
);

interface LockEntry extends Omit<LockedSkill, 'name' | 'origin'>, Pick<Origin, 'url' | 'ref'> {
  readonly kind?: string | undefined;
  readonly commit?: string | undefined;
}

const LOCK_ENTRY = mappingOf<LockEntry>(
  {
    kind: MAYBE_TEXT,
    url: that(textKind, (text) => text !== '', 'must not be empty'),
    ref: MAYBE_TEXT,
    commit: MAYBE_TEXT,
    path: missingAs('', PATH),
    folder: missingAs(undefined, oneOf([PROJECT_SKILLS], `must be ${PROJECT_SKILLS}`)),
    held: missingAs(undefined, truthKind),
    digest: TREE_DIGEST,
    files: listKind(LOCKED_FILE),
  },
  'must be an installed skill',
);

/** Additional fields of each kind of origin. */
const ORIGIN_KINDS = new Map(
  Object.entries(ORIGIN_FIELDS).map(([kind, fields]: [string, Readonly<Record<string, OriginField>>]) => {
    const kinds = Object.entries(fields).map(([name, field]) => [name, fieldKind(field)]);
    return [kind, mappingOf<object>(Object.fromEntries(kinds), 'must be an installed skill')];
  }),
);

function fieldKind({ pattern, message, isOptional = false }: OriginField): Kind<string | undefined> {
  const kind = that(textKind, (text) => pattern.test(text), message);
  return isOptional
    ? missingAs(undefined, kind)
    : { ...kind, check: (value) => (value === undefined ? wrong(message) : kind.check(value)) };
}

const LOCKED_SKILL: Kind<Omit<LockedSkill, 'name'>> = {
  schema: LOCK_ENTRY.schema,
  check(value) {
    const entry = LOCK_ENTRY.check(value);
    if (!entry.ok) return entry;
    const { kind: given, commit, url, ref, ...rest } = entry.value;
    const kind = given ?? (commit === undefined ? 'directory' : 'git');
    const fields = ORIGIN_KINDS.get(kind)?.check(value);
    if (fields === undefined) return wrong(`is an origin of an unknown kind (${kind})`);
    if (!fields.ok) return fields;
    // Each kind has a check for each of its fields.
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion
    const origin = { kind, url, ...(ref === undefined ? {} : { ref }), ...fields.value } as Origin;
    return right({ origin, ...rest });
  },
};

const LOCK = mappingOf<{
  readonly version: (typeof LOCK_VERSIONS)[number];
  readonly skills: Readonly<Record<string, Omit<LockedSkill, 'name'>>>;
}>(
  {
    version: oneOf(LOCK_VERSIONS, `must be ${LOCK_VERSIONS.join(' or ')}; a newer skillplane wrote this file`),
    skills: recordOf(LOCKED_SKILL, `must list the installed skills${DAMAGE}`, (name) =>
      isFolder(name) ? undefined : 'is not the name of a folder',
    ),
  },
  'must be a mapping',
);

/** Does a path of a lock stay in its folder? */
function staysInside(path: string): boolean {
  return !/^\/|\0/.test(path) && !path.split(/[/\\]/).includes('..');
}

function isFolder(name: string): boolean {
  return staysInside(name) && !name.includes('/');
}
