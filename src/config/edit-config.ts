import { dirname } from 'node:path';
import { isDeepStrictEqual } from 'node:util';

import type { SkillsSection } from '../model/config.ts';
import { MAX_OWN_CONFIG_BYTES } from '../model/limits.ts';
import { fail, type Failure, type Outcome } from '../model/outcome.ts';
import type { FileFailure } from '../parse/yaml/plain-yaml.ts';
import { isTaken, readOwnText } from '../platform/files/files.ts';
import { makeFolder } from '../platform/files/folders.ts';
import { withLock } from '../platform/files/lock.ts';
import { replaceFile } from '../platform/files/replace-file.ts';
import type { ConfigEditor } from './config-editor.ts';
import type { ParsedConfig } from './parse-config.ts';
import { placeConfigSchema, SCHEMA_LINE } from './schema-file.ts';

/** `now` has this file's own values, without a project's. */
export type ConfigEdit = (editor: ConfigEditor, now: SkillsSection) => void;

/**
 * Edits a `config.yaml` under its lock, or creates it. Comments in the `skills:` section are kept, and the rest of the
 * file is unchanged. Invalid YAML is not edited, and an invalid value is not replaced, because its author may still
 * want it.
 */
export async function editConfig({ file, isUsers }: ConfigFile, edit: ConfigEdit): Promise<Outcome<EditedConfig>> {
  const made = isUsers ? undefined : makeFolder(dirname(file));
  if (made?.ok === false) return made;
  return withLock(file, async ({ check }) => {
    const planned = await planConfigEdit(file, edit);
    if (!planned.ok) return planned;
    const written = replaceFile(file, planned.text, { check, isPrivate: isUsers && !isTaken(file) });
    if (written.ok) placeConfigSchema(file);
    return written.ok ? { ...written, changed: planned.changed } : written;
  });
}

/** A `config.yaml`, which may not exist yet. */
export interface ConfigFile {
  readonly file: string;
  /** The user's own; a project's is for everyone who works in it. */
  readonly isUsers: boolean;
}

export interface EditedConfig {
  readonly path: string;
  /** The settings whose value changed. */
  readonly changed: readonly (keyof SkillsSection)[];
}

export interface PlannedConfig extends Pick<EditedConfig, 'changed'> {
  readonly text: string;
}

/** The text of a `config.yaml` after an edit; a new one begins with the line that names its schema. A caller that writes it holds the file's lock from before this call. */
export async function planConfigEdit(file: string, edit: ConfigEdit): Promise<Outcome<PlannedConfig>> {
  // Lazy: readers should not pay for the writer.
  const [{ openConfigEditor }, { parseConfig }, { editEntry }] = await Promise.all([
    import('./config-editor.ts'),
    import('./parse-config.ts'),
    import('../parse/yaml/edit-entry.ts'),
  ]);
  const read = readOwnText(file);
  if (!read.ok) return fail('CONFIG_INVALID', read.message);
  const text = read.text ?? '';
  const before = parseConfig(text, MAX_OWN_CONFIG_BYTES);
  if (!before.ok) return refuse(file, [before]);
  const edited = editEntry(text, 'skills', (document) => edit(openConfigEditor(document), before.section));
  const after = edited === undefined ? undefined : parseConfig(edited, MAX_OWN_CONFIG_BYTES);
  if (edited === undefined || after?.ok !== true)
    return fail('CONFIG_INVALID', `${file} cannot be edited safely`, { edit: file });
  const lost = before.faults.filter(({ setting }) => countFaults(before, setting) !== countFaults(after, setting));
  if (lost.length > 0) return refuse(file, lost);
  const head = read.text === undefined ? SCHEMA_LINE : '';
  return { ok: true, text: `${head}${edited}`, changed: findChanged(before.section, after.section) };
}

function refuse(file: string, faults: readonly Pick<FileFailure, 'line' | 'message'>[]): Failure {
  const reasons = faults.map(({ line, message }) => `${file}:${line}: ${message}`);
  return fail('CONFIG_INVALID', `${reasons.join('; ')}; nothing was changed`, { edit: file });
}

function countFaults({ faults }: ParsedConfig, wanted: string): number {
  return faults.filter(({ setting }) => setting === wanted).length;
}

function findChanged(before: SkillsSection, after: SkillsSection): readonly (keyof SkillsSection)[] {
  // The schema passes unknown keys on; nothing edits those.
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion
  const keys = [...new Set([...Object.keys(before), ...Object.keys(after)])] as (keyof SkillsSection)[];
  return keys.filter((key) => !isDeepStrictEqual(before[key], after[key]));
}
