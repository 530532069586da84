import { MAX_LOCK_BYTES } from '../model/limits.ts';
import type { LockedFile, LockedSkill } from '../model/lock.ts';
import type { Origin } from '../model/origin.ts';
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
  refine,
  right,
  textKind,
  that,
  truthKind,
  wrong,
} from './kinds.ts';

export const LOCK_NAME = 'skills-lock.yaml';

/** Reads a `skills-lock.yaml`; a missing file is an empty lock. An invalid file is a failure and is never written. */
export function readLock(file: string): Outcome<{ readonly skills: readonly LockedSkill[] }> {
  const read = readOwnText(file);
  if (!read.ok) return read;
  if (read.text === undefined) return { ok: true, skills: [] };
  const parsed = parseLock(read.text);
  if (parsed.ok) return parsed;
  const hint = 'Fix the file, or restore it from a backup.';
  return fail('CONFIG_INVALID', `${file}:${parsed.line}: ${parsed.message}`, hint);
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

const DAMAGE = '; the file was emptied or cut short';

/** Part of every lock that ends with `END`; older ones have neither. */
const END_NOTE = 'A line of three dots ends it.';
/** The end of a YAML document. Without it, the file was cut short. */
const END = '...';

const HEADING = `# What is installed here, exactly. Written by skillplane; keep it under version control with its project.
# ${END_NOTE}
`;

/** The text of a `skills-lock.yaml`; the order of the entries does not matter. */
export function renderLock(skills: readonly LockedSkill[]): string {
  const version = skills.every(({ origin }) => isOldKind(origin)) ? 1 : 2;
  const heading = `${HEADING}version: ${version}\n`;
  if (skills.length === 0) return `${heading}skills: {}\n${END}\n`;
  const sorted = skills.toSorted((a, b) => (a.name < b.name ? -1 : 1));
  return `${heading}skills:\n${sorted.map(renderSkill).join('')}${END}\n`;
}

function renderSkill({ name, origin, path, held, digest, files }: LockedSkill): string {
  const known: OriginFields = isOldKind(origin) ? { ...origin, kind: undefined } : origin;
  const fields = ORIGIN_FIELDS.map((field) => [field, known[field]] as const);
  const others = Object.entries({ path: path === '' ? undefined : path, digest });
  const lines = [...fields, ...others].flatMap(([key, value]) =>
    value === undefined ? [] : [`    ${key}: ${renderAddress(value)}\n`],
  );
  const list = files.length === 0 ? ' []\n' : `\n${files.map(renderFile).join('')}`;
  const hold = held === true ? '    held: true\n' : '';
  return `  ${renderAddress(name)}:\n${lines.join('')}${hold}    files:${list}`;
}

function renderFile({ path, digest, executable }: LockedFile): string {
  const last = executable ? '        executable: true\n' : '';
  return `      - path: ${renderAddress(path)}\n        digest: ${digest}\n${last}`;
}

/** Version 1 knows git and directories; a lock with other origins has version 2, which older programs refuse to change. */
const LOCK_VERSIONS = [1, 2] as const;

/** Kinds that version 1 knows. */
function isOldKind({ kind }: Origin): boolean {
  return kind === 'git' || kind === 'directory';
}

/** The fields of an origin, in their order. Entries of git and directories have no `kind`: a commit tells them apart. */
const ORIGIN_FIELDS = ['kind', 'url', 'ref', 'commit', 'version', 'artifact', 'integrity'] as const;

type OriginFields = { readonly [Field in (typeof ORIGIN_FIELDS)[number]]?: string | undefined };

/** The origin that these fields describe; undefined if a field is missing or wrong for its kind. */
function toOrigin(url: string, fields: OriginFields): Origin | undefined {
  const { kind, ref, commit, version, artifact, integrity } = fields;
  const address = ref === undefined ? { url } : { url, ref };
  switch (kind) {
    case undefined:
      return commit === undefined ? { kind: 'directory', ...address } : { kind: 'git', ...address, commit };
    case 'archive':
      return integrity !== undefined && DIGEST.test(integrity) ? { kind, ...address, integrity } : undefined;
    case 'web': {
      if (artifact === undefined || !URL.canParse(artifact)) return undefined;
      if (integrity !== undefined && !DIGEST.test(integrity)) return undefined;
      const promised = integrity === undefined ? {} : { integrity };
      return { kind, ...address, artifact, ...promised, ...(version === undefined ? {} : { version }) };
    }
    case 'npm':
      if (version === undefined || integrity === undefined || !INTEGRITY.test(integrity)) return undefined;
      return { kind, ...address, version, integrity };
    case 'hub':
      if (version === undefined || integrity === undefined || !DIGEST.test(integrity)) return undefined;
      return { kind, ...address, version, integrity };
    default:
      return undefined;
  }
}

const DIGEST = /^sha256:[0-9a-f]{64}$/;
const COMMIT = /^[0-9a-f]{40}$/;
const INTEGRITY = /^sha512-[A-Za-z0-9+/]{86}==$/;

const PATH = that(textKind, staysInside, 'leads out of its folder');
const TREE_DIGEST = that(textKind, (text) => DIGEST.test(text), 'must be sha256: and 64 hex digits');
const MAYBE_TEXT = missingAs(undefined, textKind);

const LOCKED_FILE = mappingOf<LockedFile>(
  { path: PATH, digest: TREE_DIGEST, executable: missingAs(false, truthKind) },
  'must be a file with its digest',
);

const LOCKED_FIELDS = mappingOf<OriginFields & { readonly url: string } & Omit<LockedSkill, 'name' | 'origin'>>(
  {
    kind: MAYBE_TEXT,
    url: that(textKind, (text) => text !== '', 'must not be empty'),
    ref: MAYBE_TEXT,
    commit: missingAs(
      undefined,
      that(textKind, (text) => COMMIT.test(text), 'must be 40 hex digits'),
    ),
    version: MAYBE_TEXT,
    artifact: MAYBE_TEXT,
    integrity: MAYBE_TEXT,
    path: missingAs('', PATH),
    held: missingAs(undefined, truthKind),
    digest: TREE_DIGEST,
    files: listKind(LOCKED_FILE),
  },
  'must be an installed skill',
);

const LOCKED_SKILL = refine(LOCKED_FIELDS, ({ url, path, held, digest, files, ...fields }) => {
  const origin = toOrigin(url, fields);
  if (origin === undefined) return wrong(`is not an origin that this version knows (${fields.kind})`);
  return right({ origin, path, ...(held === undefined ? {} : { held }), digest, files });
});

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
