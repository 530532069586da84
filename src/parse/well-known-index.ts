import { hasUnclearCredentials } from '../model/address.ts';
import { parseJson } from '../model/json.ts';
import { fail, type Outcome } from '../model/outcome.ts';
import { findPathFault } from '../model/path-fault.ts';
import { isFolderName } from './name-rules.ts';

/** The schema of an index of version 0.2.0; a name, not an address to fetch. */
export const DISCOVERY_SCHEMA = 'https://schemas.agentskills.io/discovery/0.2.0/schema.json';

/** Where a site has its index, newest version first; relative to the origin or to a folder of it. */
export const INDEX_PATHS = ['.well-known/agent-skills/index.json', '.well-known/skills/index.json'] as const;

/** A skill that an index lists. */
export interface IndexedSkill {
  readonly name: string;
  readonly description: string;
  readonly version: string | undefined;
  readonly artifact: IndexedArtifact;
}

/** Its SKILL.md alone or an archive, with the digest of its bytes; or, before version 0.2.0, files below an address. */
export type IndexedArtifact =
  | { readonly type: 'skill-md' | 'archive'; readonly url: string; readonly digest: string }
  | { readonly type: 'files'; readonly url: string; readonly files: readonly string[] };

export interface WellKnownIndex {
  readonly skills: readonly IndexedSkill[];
  /** Entries that cannot be used, and why. */
  readonly problems: readonly string[];
}

/** Larger indexes are cut: far more than anybody picks from. */
export const MAX_INDEXED_SKILLS = 10_000;

/**
 * Parses an index of version 0.2.0 or 0.1.0, which was asked for at `url`. Addresses in it are relative to `base`, the address that gave
 * it after all redirects.
 */
export function parseWellKnownIndex(text: string, url: string, base: string = url): Outcome<WellKnownIndex> {
  const value = parseJson(text);
  if (!isObject(value) || !Array.isArray(value['skills'])) return fail('PARSE_FAILED', 'it is not an index of skills');
  const schema = value['$schema'];
  const isOld = schema === undefined && url.endsWith(INDEX_PATHS[1]);
  if (schema !== DISCOVERY_SCHEMA && !isOld) return fail('PARSE_FAILED', `unknown $schema ${show(schema)}`);
  const entries: readonly unknown[] = value['skills'];
  const names = new Set<string>();
  const skills: IndexedSkill[] = [];
  const problems: string[] = [];
  for (const entry of entries.slice(0, MAX_INDEXED_SKILLS)) {
    const read = isOld ? readOldEntry(entry, base) : readEntry(entry, base);
    const problem =
      'problem' in read ? read.problem : names.has(read.name) ? `${read.name} is listed twice` : undefined;
    if (problem !== undefined) problems.push(problem);
    else if (!('problem' in read)) {
      names.add(read.name);
      skills.push(read);
    }
  }
  if (entries.length > MAX_INDEXED_SKILLS)
    problems.push(`there are ${entries.length} skills; only the first ${MAX_INDEXED_SKILLS} are read`);
  return { ok: true, skills, problems };
}

type ReadEntry = IndexedSkill | { readonly problem: string };

function readEntry(entry: unknown, base: string): ReadEntry {
  const common = readCommon(entry);
  if ('problem' in common) return common;
  const { name, fields } = common;
  const { type, url, digest } = fields;
  if (type !== 'skill-md' && type !== 'archive') return { problem: `${name} has the unknown type ${show(type)}` };
  const address = typeof url === 'string' ? resolveUrl(url, base) : undefined;
  if (address === undefined) return { problem: `${name} has no usable url: ${show(url)}` };
  if (typeof digest !== 'string' || !/^sha256:[0-9a-f]{64}$/.test(digest))
    return { problem: `${name} has no digest of the form sha256: and 64 hex digits` };
  return { ...toSkill(common), artifact: { type, url: address, digest } };
}

function readOldEntry(entry: unknown, base: string): ReadEntry {
  const common = readCommon(entry);
  if ('problem' in common) return common;
  const { name, fields } = common;
  const files: readonly unknown[] = Array.isArray(fields['files']) ? fields['files'] : [];
  const paths = files.filter((path) => typeof path === 'string');
  const bad = paths.find((path) => findPathFault(path) !== undefined);
  if (bad !== undefined) return { problem: `${name} names a file outside its folder: ${show(bad)}` };
  if (paths.length === 0 || paths.length < files.length) return { problem: `${name} lists no files` };
  const url = resolveUrl(`${encodeURIComponent(name)}/`, base);
  if (url === undefined) return { problem: `${name} has no usable address` };
  return { ...toSkill(common), artifact: { type: 'files', url, files: paths } };
}

interface CommonFields {
  readonly name: string;
  readonly fields: Readonly<Record<string, unknown>>;
}

function readCommon(entry: unknown): CommonFields | { readonly problem: string } {
  if (!isObject(entry)) return { problem: `an entry is ${show(entry)} instead of a skill` };
  const { name } = entry;
  if (typeof name !== 'string' || !isFolderName(name)) return { problem: `${show(name)} is not the name of a skill` };
  return { name, fields: entry };
}

function toSkill({ name, fields }: CommonFields): Omit<IndexedSkill, 'artifact'> {
  const { description, version } = fields;
  return {
    name,
    description: typeof description === 'string' ? description : '',
    version: typeof version === 'string' && version !== '' ? version.slice(0, 64) : undefined,
  };
}

/** An address with the protocol of the index and without a password. */
function resolveUrl(given: string, base: string): string | undefined {
  if (!URL.canParse(given, base)) return undefined;
  const url = new URL(given, base);
  const isPlain = url.username === '' && url.password === '' && !hasUnclearCredentials(url.href);
  return isPlain && url.protocol === new URL(base).protocol ? url.href.replace(/#.*$/s, '') : undefined;
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Hostile text, quoted and cut. */
function show(value: unknown): string {
  return (JSON.stringify(value) ?? 'missing').slice(0, 80);
}
