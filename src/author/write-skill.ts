import { basename, dirname, join } from 'node:path';

import { MAX_SKILL_FILE_BYTES } from '../model/limits.ts';
import type { NextStep } from '../model/next-step.ts';
import { fail, type Failure, type Outcome } from '../model/outcome.ts';
import type { SkillDefinition } from '../model/skill.ts';
import { decodeStrictly, decodeUtf16 } from '../parse/decode.ts';
import { splitFrontmatter } from '../parse/frontmatter.ts';
import { findNameFaults } from '../parse/name-rules.ts';
import { parseSkill } from '../parse/parse-skill.ts';
import { SKILL_FILE } from '../parse/skill-file.ts';
import { changeSkillText } from '../parse/skill-text.ts';
import { moveTo } from '../platform/files/folders.ts';
import { readInside } from '../platform/files/inside.ts';
import { temporaryPath } from '../platform/files/leftovers.ts';
import type { HeldLock } from '../platform/files/lock.ts';
import { removeTree } from '../platform/files/remove-tree.ts';
import { replaceFile } from '../platform/files/replace-file.ts';
import { syncPaths, writeFiles, type StagedFile } from '../platform/files/write-folder.ts';
import { draftFields, type SkillChanges, type SkillDraft } from './skill-draft.ts';
import { findPlace, withRoot, type PresentPlace, type WritableRoot } from './skill-root.ts';
import { findNewErrors, type TextChange } from './validate-text.ts';

export interface WrittenSkill {
  readonly id: string;
  /** The path of its SKILL.md. */
  readonly path: string;
  readonly action: 'created' | 'updated';
  /** Unused fields of a frontmatter at the head of the body; absent if there are none. */
  readonly leftOut?: readonly string[] | undefined;
  /** Backup of an unreadable SKILL.md that was replaced; absent otherwise. */
  readonly kept?: string | undefined;
}

export interface WriteSkillOptions {
  /** The directory of the skill's folder. */
  readonly source: WritableRoot;
  /** `create` (the default) fails if the skill exists, `update` if it does not; `put` does either. */
  readonly mode?: 'create' | 'update' | 'put' | undefined;
  /** Refuses to change an existing skill by returning a failure. */
  readonly judge?: ((existing: SkillDefinition) => Failure | undefined) | undefined;
  /** Size limit of the SKILL.md. */
  readonly maxBytes?: number | undefined;
  /** Other files of a new skill. */
  readonly files?: readonly StagedFile[] | undefined;
}

/** A whole new skill, or the changes to an existing one. */
export type Writing = SkillDraft | (SkillChanges & { readonly name: string });

/**
 * Writes a skill; the only writer in Skillplane. New folders appear complete, and an existing SKILL.md is replaced
 * atomically. Other fields and comments are kept. A broken file is replaced and kept as `SKILL.md.bak`. The result is
 * valid, or has at least no new errors. Links are not followed, and writers to one root are serialized.
 */
export async function writeSkill(writing: Writing, options: WriteSkillOptions): Promise<Outcome<WrittenSkill>> {
  const name = writing.name.trim().normalize('NFKC');
  const [fault] = name === '' ? ['the name is empty'] : findNameFaults(name);
  if (fault !== undefined) return fail('INVALID_NAME', fault, suggest(name));
  const { mode = 'create' } = options;
  return withRoot(options.source, (realRoot, { check }) => {
    const found = findPlace(realRoot, name);
    if (!found.ok) return found;
    const { place } = found;
    if (place.state === 'absent') {
      if (mode === 'update') return fail('SKILL_NOT_FOUND', `no skill called "${name}" in ${options.source.path}`);
      return create(place.dir, { ...writing, name }, { ...options, check });
    }
    if (mode === 'create') return fail('ALREADY_EXISTS', `the skill "${name}" already exists: ${place.dir}`);
    return update(place, writing, { ...options, check });
  });
}

function suggest(name: string): NextStep | undefined {
  const words = name.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? [];
  const better = words.join('-');
  return better === '' || findNameFaults(better).length > 0 ? undefined : { give: 'name', as: better };
}

interface LockedOptions extends WriteSkillOptions, HeldLock {}

async function create(dir: string, writing: Writing, options: LockedOptions): Promise<Outcome<WrittenSkill>> {
  const { source, maxBytes = MAX_SKILL_FILE_BYTES, files = [], check: checkLock } = options;
  const id = basename(dir);
  const built = changeSkillText('', { fields: draftFields(writing), body: writing.body ?? '' });
  const checked = built.ok ? check(dir, { text: built.text, files, maxBytes }) : built;
  if (!checked.ok) return checked;
  const staged = temporaryPath(dirname(dir), 'tmp');
  const skillFile = { path: SKILL_FILE, bytes: Buffer.from(checked.text), executable: false };
  const written = writeFiles(staged, [...files, skillFile]);
  const synced = written.ok ? await syncPaths([staged]) : written;
  const held = synced.ok ? checkLock() : synced;
  const moved = held.ok ? moveTo(staged, dir) : held;
  if (moved.ok) return { ok: true, id, path: join(source.path, id, SKILL_FILE), action: 'created' };
  removeTree(staged);
  return moved;
}

function update(
  { dir, fileName }: PresentPlace,
  { name: _, ...changes }: Writing,
  { source, judge, maxBytes = MAX_SKILL_FILE_BYTES, check: checkLock }: LockedOptions,
): Outcome<WrittenSkill> {
  const id = basename(dir);
  const path = join(source.path, id, fileName);
  const read = readInside(dir, fileName, { maxBytes: MAX_SKILL_FILE_BYTES });
  if (!read.ok) return { ...read, message: `${path}: ${read.message}` };
  const text = decodeStrictly(read.bytes);
  const parsed = parseSkill(text ?? read.bytes, { dir, file: path });
  if (!parsed.ok)
    return writeAnew({ dir, path, bytes: read.bytes, why: parsed.message }, changes, {
      judge,
      maxBytes,
      check: checkLock,
    });
  if (text === undefined)
    return fail('PARSE_FAILED', `${path} is not valid UTF-8`, { advice: 'Save the file as UTF-8.' });
  const refusal = judge?.(parsed.skill);
  if (refusal !== undefined) return refusal;
  const named = parsed.skill.isNamed ? changes : { ...changes, name: id };
  const built = changeSkillText(text, { fields: draftFields(named), body: changes.body });
  const checked = built.ok
    ? check(dir, { text: built.text, before: text, maxBytes })
    : { ...built, message: `${path}: ${built.message}` };
  if (!checked.ok) return checked;
  const written =
    checked.text === text
      ? { ok: true as const }
      : replaceFile(join(dir, fileName), checked.text, { check: checkLock, noLinks: true });
  return written.ok ? { ok: true, id, path, action: 'updated' } : written;
}

interface BrokenFile {
  readonly dir: string;
  readonly path: string;
  readonly bytes: Buffer;
  readonly why: string;
}

/** Replaces a file that cannot be parsed. Its fields are unknown; its body stays if it is certain where it begins. */
function writeAnew(
  { dir, path, bytes, why }: BrokenFile,
  changes: SkillChanges,
  { judge, maxBytes, check: checkLock }: Pick<LockedOptions, 'judge' | 'check'> & { readonly maxBytes: number },
): Outcome<WrittenSkill> {
  // Without its fields, the owner of the skill is unknown.
  if (judge !== undefined) return fail('PARSE_FAILED', why, { give: 'name', aim: 'choose another' });
  const id = basename(dir);
  const text = decodeUtf16(bytes) ?? decodeStrictly(bytes) ?? '';
  const split = splitFrontmatter(text);
  const body = changes.body ?? (split.kind === 'closed' ? split.rest : '');
  if (changes.description === undefined || body.trim() === '')
    return fail('PARSE_FAILED', why, { advice: 'To rewrite it, give a description and a body.' });
  const built = changeSkillText('', { fields: draftFields({ ...changes, name: id }), body });
  const checked = built.ok ? check(dir, { text: built.text, maxBytes }) : built;
  if (!checked.ok) return checked;
  const fileName = basename(path);
  const kept = replaceFile(join(dir, `${fileName}.bak`), bytes, { check: checkLock, noLinks: true });
  const written = kept.ok ? replaceFile(join(dir, fileName), checked.text, { check: checkLock, noLinks: true }) : kept;
  return written.ok ? { ok: true, id, path, action: 'updated', kept: `${path}.bak` } : written;
}

interface Checking extends TextChange {
  readonly text: string;
  readonly maxBytes: number;
}

function check(dir: string, { text, maxBytes, ...change }: Checking): Outcome<{ readonly text: string }> {
  const size = Buffer.byteLength(text);
  if (size > maxBytes) return fail('SKILL_INVALID', `the skill would have ${size} bytes; the limit is ${maxBytes}`);
  const errors = findNewErrors(dir, text, change);
  if (errors.length === 0) return { ok: true, text };
  return fail('SKILL_INVALID', `the skill would not be valid: ${errors.map(({ message }) => message).join('; ')}`);
}
