import { basename, dirname, join } from 'node:path';

import { MAX_SKILL_FILE_BYTES } from '../model/limits.ts';
import { fail, type Outcome } from '../model/outcome.ts';
import { decodeStrictly, decodeUtf16 } from '../parse/decode.ts';
import { renderDiff } from '../parse/render-diff.ts';
import { findSkillFile, SKILL_FILE } from '../parse/skill-file.ts';
import type { Finding } from '../parse/strict/validation.ts';
import { listDirectory, realPath } from '../platform/files/files.ts';
import { kindAt, moveTo } from '../platform/files/folders.ts';
import { readInside } from '../platform/files/inside.ts';
import type { HeldLock } from '../platform/files/lock.ts';
import { replaceFile } from '../platform/files/replace-file.ts';
import type { Fix } from './fix-fields.ts';
import { fixText, type FixTextOptions } from './fix-text.ts';
import { findSkillDirectories } from './skill-path.ts';
import { withRoot } from './skill-root.ts';
import { validateText } from './validate-text.ts';

export interface FixOptions extends FixTextOptions {
  /** Writes the fixed files; by default they are only shown. */
  readonly write?: boolean | undefined;
}

export interface FixedSkill {
  /** The skill's directory. */
  readonly path: string;
  readonly fixes: readonly Fix[];
  /** A unified diff; empty if no line changes. */
  readonly diff: string;
  readonly written: boolean;
  /** Errors that `validate` still reports and a person has to fix. */
  readonly left: readonly Finding[];
  /** Nothing is left to fix, here or by hand. */
  readonly isRight: boolean;
}

/** Fixes the skills at a path: a skill's directory, its SKILL.md, or a directory of skills. */
export async function fix(path: string, options?: FixOptions): Promise<readonly Outcome<FixedSkill>[]> {
  const fixed: Outcome<FixedSkill>[] = [];
  for (const dir of findSkillDirectories(path)) fixed.push(await fixSkill(dir, options));
  return fixed;
}

async function fixSkill(dir: string, options: FixOptions = {}): Promise<Outcome<FixedSkill>> {
  const realDir = realPath(dir);
  if (realDir !== undefined && kindAt(dir) === 'link')
    return fail('PATH_REFUSED', `${dir} is a link to ${realDir}`, { advice: 'Give the path of the directory itself.' });
  if (realDir === undefined || kindAt(realDir) !== 'directory')
    return fail('PATH_REFUSED', `${dir} is not a directory`);
  if (options.write !== true) return fixFile(dir, realDir, options);
  return withRoot({ path: dirname(realDir), boundary: undefined }, (_, { check }) =>
    fixFile(dir, realDir, { ...options, check }),
  );
}

function fixFile(
  dir: string,
  realDir: string,
  { spec = false, write = false, check }: FixOptions & Partial<HeldLock>,
): Outcome<FixedSkill> {
  const read = readSkillFile(dir, realDir);
  if (!read.ok) return read;
  const { fileName, text, isUtf8 } = read;
  const fixed = fixText(text, dir, { spec });
  const isMisnamed = fileName !== SKILL_FILE;
  const renaming = isMisnamed ? [{ message: `rename ${fileName} to ${SKILL_FILE}` }] : [];
  const encoding = isUtf8 ? [] : [{ message: 'save the file as UTF-8 instead of UTF-16' }];
  const fixes = [...renaming, ...encoding, ...fixed.fixes];
  const result = {
    path: dir,
    fixes,
    diff: renderDiff(text, fixed.text, `${basename(dir)}/${SKILL_FILE}`),
    left: validateText(dir, fixed.text, { spec }).errors,
  };
  const canBeRight = result.left.length === 0;
  if (!write || fixes.length === 0)
    return { ok: true, ...result, written: false, isRight: canBeRight && fixes.length === 0 };
  const renamed = isMisnamed ? moveTo(join(realDir, fileName), join(realDir, SKILL_FILE)) : { ok: true as const };
  const isRewritten = !isUtf8 || fixed.text !== text;
  const written =
    renamed.ok && isRewritten ? replaceFile(join(realDir, SKILL_FILE), fixed.text, { check, noLinks: true }) : renamed;
  return written.ok ? { ok: true, ...result, written: true, isRight: canBeRight } : written;
}

interface SkillFile {
  readonly fileName: string;
  readonly text: string;
  readonly isUtf8: boolean;
}

function readSkillFile(dir: string, realDir: string): Outcome<SkillFile> {
  const listing = listDirectory(realDir);
  const names = listing.state === 'listed' ? listing.entries.map(({ name }) => name) : [];
  const fileName = findSkillFile(names);
  if (fileName === undefined) return fail('RESOURCE_NOT_FOUND', `${dir}: missing required file: SKILL.md`);
  const path = join(dir, fileName);
  if (kindAt(join(realDir, fileName)) !== 'file') return fail('PATH_REFUSED', `${path} is not a regular file`);
  const read = readInside(realDir, fileName, { maxBytes: MAX_SKILL_FILE_BYTES });
  if (!read.ok) return { ...read, message: `${path}: ${read.message}` };
  const utf16 = decodeUtf16(read.bytes);
  const text = utf16 ?? decodeStrictly(read.bytes);
  if (text === undefined)
    return fail('PARSE_FAILED', `${path} is not valid UTF-8`, { advice: 'Save the file as UTF-8.' });
  return { ok: true, fileName, text, isUtf8: utf16 === undefined };
}
