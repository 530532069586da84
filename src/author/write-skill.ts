import { basename, join } from 'node:path';

import { MAX_SKILL_FILE_BYTES } from '../model/limits.ts';
import { fail, type Failure, type Outcome } from '../model/outcome.ts';
import type { SkillDefinition } from '../model/skill.ts';
import { decodeStrictly } from '../parse/decode.ts';
import { findNameFaults } from '../parse/name-rules.ts';
import { parseSkill } from '../parse/parse-skill.ts';
import { changeSkillText } from '../parse/skill-text.ts';
import { readInside } from '../platform/files/inside.ts';
import { makeStagingFolder, syncFolders, type StagedFile } from '../platform/files/staging-folder.ts';
import { moveTo, writeInside } from '../platform/files/write-inside.ts';
import { findNewErrors } from './new-errors.ts';
import { draftFields, type SkillChanges, type SkillDraft } from './skill-draft.ts';
import { besides, findPlace, withRoot, type SkillPlace, type WritableRoot } from './skill-root.ts';

export interface WrittenSkill {
  readonly id: string;
  /** Of its SKILL.md. */
  readonly path: string;
  readonly action: 'created' | 'updated';
  /** Fields of a frontmatter at the head of the body that were not taken over; absent where there are none. */
  readonly leftOut?: readonly string[] | undefined;
}

export interface WriteSkillOptions {
  /** Where the skill lies or shall lie. */
  readonly source: WritableRoot;
  /** `create` fails where there is one, `update` where there is none, `put` does what is needed; `create`. */
  readonly mode?: 'create' | 'update' | 'put' | undefined;
  /** May the skill that is there be changed? */
  readonly judge?: ((existing: SkillDefinition) => Failure | undefined) | undefined;
  /** The largest SKILL.md, in bytes. */
  readonly maxBytes?: number | undefined;
  /** What a new skill brings besides. */
  readonly files?: readonly StagedFile[] | undefined;
}

/** What is written: all of a new skill, or what shall change of one that is there. */
export type Writing = SkillDraft | (SkillChanges & { readonly name: string });

/**
 * Writes a skill, the one way by which all of Skillplane does. A new folder appears complete; an old SKILL.md is replaced
 * whole, and what the writing does not say stays: other fields, comments, `always_present`. What is written is valid, or
 * at least not less so than before. No link is followed, and whoever writes to the same root waits.
 */
export async function writeSkill(writing: Writing, options: WriteSkillOptions): Promise<Outcome<WrittenSkill>> {
  const name = writing.name.trim().normalize('NFKC');
  const [fault] = name === '' ? ['the name is empty'] : findNameFaults(name);
  if (fault !== undefined) return fail('INVALID_NAME', `${fault}${suggest(name)}`);
  const { mode = 'create' } = options;
  return withRoot(options.source, (realRoot) => {
    const found = findPlace(realRoot, name);
    if (!found.ok) return found;
    const { place } = found;
    if (place.state === 'absent') {
      if (mode === 'update') return fail('SKILL_NOT_FOUND', `there is no skill "${name}" in ${options.source.path}`);
      return create(place.dir, { ...writing, name }, options);
    }
    if (mode === 'create') return fail('ALREADY_EXISTS', `the skill "${name}" exists already: ${place.dir}`);
    return update(place, writing, options);
  });
}

function suggest(name: string): string {
  const words = name.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? [];
  const better = words.join('-');
  return better === '' || findNameFaults(better).length > 0 ? '' : `; ${better} would do`;
}

async function create(dir: string, writing: Writing, options: WriteSkillOptions): Promise<Outcome<WrittenSkill>> {
  const { source, maxBytes = MAX_SKILL_FILE_BYTES, files = [] } = options;
  const id = basename(dir);
  const built = changeSkillText('', { fields: draftFields(writing), body: writing.body ?? '' });
  const checked = built.ok ? check(dir, { text: built.text, maxBytes }) : built;
  if (!checked.ok) return checked;
  const staged = makeStagingFolder(besides(join(dir, '..'), 'new'));
  if (!staged.ok) return staged;
  const { folder } = staged;
  const skillFile = { path: SKILL_FILE, bytes: Buffer.from(checked.text), executable: false };
  for (const file of [...files, skillFile]) {
    const written = folder.write(file);
    if (written.ok) continue;
    folder.remove();
    return written;
  }
  const synced = await syncFolders([folder.dir]);
  const moved = synced.ok ? moveTo(folder.dir, dir) : synced;
  if (moved.ok) return { ok: true, id, path: join(source.path, id, SKILL_FILE), action: 'created' };
  folder.remove();
  return moved;
}

const SKILL_FILE = 'SKILL.md';

type PresentPlace = Extract<SkillPlace, { readonly state: 'present' }>;

function update(
  { dir, fileName }: PresentPlace,
  { name: _, ...changes }: Writing,
  { source, judge, maxBytes = MAX_SKILL_FILE_BYTES }: WriteSkillOptions,
): Outcome<WrittenSkill> {
  const id = basename(dir);
  const path = join(source.path, id, fileName);
  const read = readInside(dir, fileName, { maxBytes: MAX_SKILL_FILE_BYTES });
  if (!read.ok) return fail(read.code, `${path}: ${read.message}`);
  const text = decodeStrictly(read.bytes);
  if (text === undefined) return fail('PARSE_FAILED', `${path} is not valid UTF-8; save it as UTF-8 first`);
  const parsed = parseSkill(text, { dir });
  if (!parsed.ok) return fail(parsed.code, parsed.message);
  const refusal = judge?.(parsed.skill);
  if (refusal !== undefined) return refusal;
  const named = parsed.skill.isNamed ? changes : { ...changes, name: id };
  const built = changeSkillText(text, { fields: draftFields(named), body: changes.body });
  const checked = built.ok
    ? check(dir, { text: built.text, before: text, maxBytes })
    : fail(built.code, `${path}: ${built.message}`);
  if (!checked.ok) return checked;
  const written = checked.text === text ? { ok: true as const } : writeInside(dir, fileName, checked.text);
  return written.ok ? { ok: true, id, path, action: 'updated' } : written;
}

interface Checking {
  readonly text: string;
  readonly before?: string;
  readonly maxBytes: number;
}

function check(dir: string, { text, before, maxBytes }: Checking): Outcome<{ readonly text: string }> {
  const size = Buffer.byteLength(text);
  if (size > maxBytes) return fail('SKILL_INVALID', `the skill would have ${size} bytes; it may have ${maxBytes}`);
  const errors = findNewErrors(dir, text, before);
  if (errors.length === 0) return { ok: true, text };
  return fail('SKILL_INVALID', `the skill would not be valid: ${errors.map(({ message }) => message).join('; ')}`);
}
