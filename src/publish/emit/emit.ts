import { dirname, join, resolve } from 'node:path';

import { fail, type Outcome } from '../../model/outcome.ts';
import type { EmitTarget } from '../../model/target-id.ts';
import { renderDiff } from '../../parse/render-diff.ts';
import { realPath } from '../../platform/files/files.ts';
import { makeFolderInside } from '../../platform/files/folders.ts';
import { readInside } from '../../platform/files/inside.ts';
import { replaceFile } from '../../platform/files/replace-file.ts';
import { planEmission, type EmittedFile } from './emit-table.ts';
import { describeRepository, type AboutOptions } from './manifest-about.ts';
import { readRepositorySkills } from './repository-skills.ts';

export interface EmitOptions extends AboutOptions {
  /** The repository of skills. Default: the working directory. */
  readonly dir?: string | undefined;
  /** Writes nothing, and says what would change. */
  readonly check?: boolean | undefined;
  /** Ids or names of audit rules whose critical findings do not stop it. */
  readonly allow?: readonly string[] | undefined;
}

export interface EmittedState {
  /** In the repository, with `/`. */
  readonly path: string;
  readonly state: 'created' | 'changed' | 'unchanged';
  /** A unified diff; empty if nothing changes. */
  readonly diff: string;
}

export interface EmittedManifests {
  readonly files: readonly EmittedState[];
  readonly notes: readonly string[];
}

/**
 * Writes the files that make a repository of skills installable by these programs. What people wrote in them stays: only what is
 * missing is added. All files are written, or none. Fails if the audit of a skill is critical.
 */
export async function emit(
  targets: readonly EmitTarget[],
  options: EmitOptions = {},
): Promise<Outcome<EmittedManifests>> {
  const { dir = '.', check = false, allow = [], ...given } = options;
  const realDir = realPath(resolve(dir));
  if (realDir === undefined) return fail('PATH_REFUSED', `${resolve(dir)} does not exist`);
  const read = await readRepositorySkills(realDir, allow);
  if (!read.ok) return read;
  const { skills } = read;
  const about = describeRepository(realDir, { given, packageText: readText(realDir, 'package.json').text, skills });
  const emissions = targets.map((target) => planEmission(target, skills, about));
  const files = new Map(emissions.flatMap((emission) => emission.files).map((file) => [file.path, file]));
  const planned: PlannedText[] = [];
  for (const file of files.values()) {
    const text = planText(realDir, file);
    if (!text.ok) return text;
    planned.push(text);
  }
  for (const { path, before, after } of check ? [] : planned) {
    const written = before === after ? { ok: true as const } : writeText(realDir, path, after);
    if (!written.ok) return written;
  }
  return { ok: true, files: planned.map(toState), notes: [...new Set(emissions.flatMap(({ notes }) => notes))] };
}

interface PlannedText {
  readonly path: string;
  readonly isNew: boolean;
  readonly before: string;
  readonly after: string;
}

function planText(realDir: string, { path, write }: EmittedFile): Outcome<PlannedText> {
  const { text: before, isNew, fault } = readText(realDir, path);
  if (fault !== undefined) return fail('PATH_REFUSED', `${path}: ${fault}`);
  const written = write(before);
  return written.ok ? { ok: true, path, isNew, before, after: written.text } : written;
}

const MAX_MANIFEST_BYTES: number = 1024 * 1024;

function readText(
  realDir: string,
  path: string,
): { readonly text: string; readonly isNew: boolean; readonly fault?: string } {
  const read = readInside(realDir, path, { maxBytes: MAX_MANIFEST_BYTES });
  if (read.ok) return { text: read.bytes.toString(), isNew: false };
  return read.code === 'RESOURCE_NOT_FOUND'
    ? { text: '', isNew: true }
    : { text: '', isNew: false, fault: read.message };
}

/** Links in the path must not lead out of the repository. */
function writeText(realDir: string, path: string, text: string): Outcome {
  const made = makeFolderInside(dirname(join(realDir, path)), { boundary: realDir });
  return made.ok ? replaceFile(join(realDir, path), text, { noLinks: true }) : made;
}

function toState({ path, isNew, before, after }: PlannedText): EmittedState {
  const state = isNew ? 'created' : before === after ? 'unchanged' : 'changed';
  return { path, state, diff: renderDiff(before, after, path) };
}
