import { basename } from 'node:path';

import { openLocated, type LocatedSkill } from '../catalog/locate.ts';
import type { RefusedEntry } from '../model/folder.ts';
import { MAX_RESOURCE_BYTES } from '../model/limits.ts';
import { compareText } from '../model/order.ts';
import { fail, type Failure, type Outcome } from '../model/outcome.ts';
import { asBuffer } from '../parse/decode.ts';
import { describeContent, type DescribedContent } from './content.ts';
import { formatSkillUrl } from './skill-url.ts';

export type ResourceKind = 'script' | 'reference' | 'asset' | 'other';

/** A file of a skill other than its SKILL.md. */
export interface Resource {
  /** Relative to the skill, with `/` as the separator. */
  readonly path: string;
  readonly url: string;
  readonly size: number;
  readonly kind: ResourceKind;
}

export interface ResourceList {
  /** Sorted by path. */
  readonly resources: readonly Resource[];
  /** Other entries, with the reason why they are not resources. */
  readonly leftOut: readonly RefusedEntry[];
}

export type ResourceContent = { readonly url: string } & DescribedContent;

/** Folders of version control and package managers. They are not listed, but their files can be read. */
const LEFT_OUT: ReadonlySet<string> = new Set(['.git', 'node_modules', '__pycache__']);

/** Lists every file of a skill, at any depth. Links are not followed. */
export function listResources(located: LocatedSkill): ResourceList {
  const { skill } = located;
  const { files, refused } = openLocated(located).files({ leaveOut: LEFT_OUT });
  const resources = files
    .filter(({ path }) => path !== basename(skill.file))
    .map(({ path, size }) => ({ path, url: formatSkillUrl(skill.name, path), size, kind: kindOf(path) }))
    .sort((a, b) => compareText(a.path, b.path));
  return { resources, leftOut: refused };
}

const KINDS: ReadonlyMap<string, ResourceKind> = new Map([
  ['scripts', 'script'],
  ['references', 'reference'],
  ['docs', 'reference'],
  ['assets', 'asset'],
]);

function kindOf(path: string): ResourceKind {
  const [folder = '', ...rest] = path.split('/');
  return rest.length === 0 ? 'other' : (KINDS.get(folder) ?? 'other');
}

/** Reads one file of a skill; its SKILL.md is one too. */
export function readResource(located: LocatedSkill, path: string): Outcome<ResourceContent> {
  const url = formatSkillUrl(located.skill.name, path);
  const read = openLocated(located).read(path, MAX_RESOURCE_BYTES);
  if (read.ok) return { ok: true, url, ...describeContent(path, asBuffer(read.bytes)) };
  return read.code === 'RESOURCE_NOT_FOUND'
    ? explainMissing(located, path)
    : { ...read, message: `${url}: ${read.message}` };
}

const MOST_NAMED = 10;

function explainMissing(located: LocatedSkill, path: string): Failure {
  const paths = listResources(located).resources.map((resource) => resource.path);
  const nearest = findNearest(paths, path);
  const others = paths.length - nearest.length;
  const rest = others === 0 ? '' : ` and ${others} others`;
  const known = paths.length === 0 ? 'the skill has only its SKILL.md' : `there are ${nearest.join(', ')}${rest}`;
  return fail('RESOURCE_NOT_FOUND', `File not found: ${formatSkillUrl(located.skill.name, path)}; ${known}`);
}

/** The paths that share the longest start and end with the wanted one, so a wrong folder or ending is still near. */
function findNearest(paths: readonly string[], path: string): readonly string[] {
  const wanted = path.toLowerCase();
  return paths
    .map((candidate) => ({ candidate, score: sharedEnds(candidate.toLowerCase(), wanted) }))
    .sort((a, b) => b.score - a.score)
    .slice(0, MOST_NAMED)
    .map(({ candidate }) => candidate)
    .sort(compareText);
}

function sharedEnds(a: string, b: string): number {
  const most = Math.min(a.length, b.length);
  let start = 0;
  while (start < most && a[start] === b[start]) start += 1;
  let end = 0;
  while (end < most - start && a.at(-1 - end) === b.at(-1 - end)) end += 1;
  return start + end;
}
