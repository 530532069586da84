import { basename } from 'node:path';

import { listSome } from '../../model/list-some.ts';
import { parseManifest, isJsonObject, type JsonObject } from './edit-manifest.ts';
import type { EmittedSkill } from './repository-skills.ts';

/** The words of manifests about a repository of skills, where they do not say it yet. */
export interface ManifestAbout {
  /** Of a-z, 0-9 and hyphens. */
  readonly name: string;
  readonly description: string;
  readonly version: string;
  readonly owner: string;
}

/** Values for new files; those that are missing are found. */
export type AboutOptions = { readonly [Key in keyof ManifestAbout]?: string | undefined };

/** Fills missing values from `package.json`, if there is one, and from the folder's name. */
export function describeRepository(
  realDir: string,
  {
    given,
    packageText,
    skills,
  }: { readonly given: AboutOptions; readonly packageText: string; readonly skills: readonly EmittedSkill[] },
): ManifestAbout {
  const parsed = parseManifest(packageText, 'package.json');
  const manifest: JsonObject = parsed.ok ? parsed.value : {};
  const name = toName(given.name ?? textOf(manifest['name']) ?? basename(realDir));
  const names = skills.map((skill) => skill.name);
  return {
    name,
    description: given.description ?? textOf(manifest['description']) ?? `Skills: ${listSome(names, { most: 5 })}`,
    version: given.version ?? textOf(manifest['version']) ?? '1.0.0',
    owner: given.owner ?? authorOf(manifest['author']) ?? name,
  };
}

function textOf(value: unknown): string | undefined {
  return typeof value === 'string' && value.trim() !== '' ? value.trim() : undefined;
}

/** npm writes a person as an object, or as `Name <mail> (address)`. */
function authorOf(author: unknown): string | undefined {
  const text = isJsonObject(author) ? textOf(author['name']) : textOf(author);
  return text?.replace(/\s*[<(].*$/, '') || undefined;
}

function toName(text: string): string {
  const plain = text
    .replace(/^@[^/]*\//, '')
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, '-');
  return plain.replace(/^-|-$/g, '').slice(0, 64) || 'skills';
}
