import { basename, dirname } from 'node:path';

import { findNewErrors } from '../author/validate-text.ts';
import { MAX_SKILL_FILE_BYTES } from '../model/limits.ts';
import { fail, type Outcome } from '../model/outcome.ts';
import type { Skill } from '../model/skill.ts';
import { decodeStrictly } from '../parse/decode.ts';
import { renderDiff } from '../parse/render-diff.ts';
import { changeSkillText } from '../parse/skill-text.ts';
import { realPath } from '../platform/files/files.ts';
import { readInside } from '../platform/files/inside.ts';

/** Another description as a diff of the skill's file; fails if the file cannot be edited or would be invalid. */
export function renderDescription(skill: Skill, description: string): Outcome<{ readonly diff: string }> {
  const dir = dirname(skill.file);
  const read = readInside(realPath(dir) ?? dir, basename(skill.file), { maxBytes: MAX_SKILL_FILE_BYTES });
  if (!read.ok) return read;
  const text = decodeStrictly(read.bytes);
  if (text === undefined) return fail('PARSE_FAILED', `${skill.file} is not valid UTF-8`);
  const changed = changeSkillText(text, { fields: new Map([['description', description]]) });
  if (!changed.ok) return changed;
  const [error] = findNewErrors(dir, changed.text, { before: text });
  if (error !== undefined) return fail('SKILL_INVALID', `with more words it would be invalid: ${error.message}`);
  return { ok: true, diff: renderDiff(text, changed.text, `${basename(dir)}/${basename(skill.file)}`) };
}
