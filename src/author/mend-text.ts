import { basename } from 'node:path';

import { fail, type Outcome } from '../model/outcome.ts';
import type { FrontmatterMap } from '../model/skill.ts';
import { dropRepeated, editFields } from '../parse/edit-fields.ts';
import { normalizeText } from '../parse/frontmatter.ts';
import { parseSkill } from '../parse/parse-skill.ts';
import { readFrontmatter } from '../parse/read-frontmatter.ts';
import { closeFrontmatter, joinText, openSkillText } from '../parse/skill-text.ts';
import { readYaml } from '../parse/yaml.ts';
import { mendFields, type Mend } from './mend-fields.ts';
import { findNewErrors } from './new-errors.ts';

export interface MendOptions {
  /** Only the six fields of the Agent Skills specification may stay. */
  readonly spec?: boolean | undefined;
}

export interface MendedText {
  readonly text: string;
  /** Empty where nothing was mended. */
  readonly mends: readonly Mend[];
}

/**
 * Mends in a SKILL.md what `validate` finds, as far as nobody has to guess: what is wrong has one right form, and it is
 * what loading reads already. The body, comments and all other fields stay byte for byte.
 */
export function mendText(text: string, dir: string, { spec = false }: MendOptions = {}): MendedText {
  const mends: Mend[] = [];
  const mended = mendAll(text, { id: basename(dir), spec, mends });
  const isSound = mended.ok && mends.length > 0 && saysTheSame(text, mended.text, dir);
  return isSound ? { text: mended.text, mends } : { text, mends: [] };
}

/** No repair may add an error, or change what loading reads of the instructions and when to use them. */
function saysTheSame(before: string, after: string, dir: string): boolean {
  const [was, is] = [parseSkill(before, { dir }), parseSkill(after, { dir })];
  if (!was.ok || !is.ok || findNewErrors(dir, after, before).length > 0) return false;
  return was.body === is.body && was.skill.description === is.skill.description;
}

interface Mending {
  readonly id: string;
  readonly spec: boolean;
  readonly mends: Mend[];
}

function mendAll(text: string, { id, spec, mends }: Mending): Outcome<{ readonly text: string }> {
  const started = mendStart(text, mends);
  const reading = readFrontmatter(normalizeText(started));
  const { split, map } = reading;
  if (split.kind === 'none' || map === undefined || !isHeader(map))
    return fail('PARSE_FAILED', 'there is no frontmatter to mend');
  const closed = closeFrontmatter(started);
  if (closed !== started) mends.push({ message: 'the frontmatter is closed with ---' });
  const opened = openSkillText(closed);
  if (!opened.ok) return opened;
  const { halves } = opened;
  reportQuoted(closed, mends);
  const once = dropRepeated(halves.yaml);
  if (once !== halves.yaml) mends.push({ message: 'fields that were given twice, alike, are given once' });
  const changes = mendFields(readYaml(once).map ?? map, { id, spec, mends });
  const edited = editFields(once, changes);
  return edited.ok ? { ok: true, text: joinText({ ...halves, yaml: edited.yaml }) } : edited;
}

/** What lies between two rules in a text without frontmatter is none. */
function isHeader(map: FrontmatterMap): boolean {
  return map.has('name') || map.has('description');
}

function mendStart(text: string, mends: Mend[]): string {
  const started = text.replace(/^\uFEFF?(?:[ \t]*\r?\n)*(?=---[ \t]*\r?\n)/, '');
  if (started !== text) mends.push({ message: 'the file starts with --- at its very first character' });
  return started;
}

function reportQuoted(text: string, mends: Mend[]): void {
  const { isRecovered, fixes } = readFrontmatter(normalizeText(text));
  if (!isRecovered) return;
  for (const { field, mended } of fixes) mends.push({ field, message: `invalid YAML is written as ${mended}` });
  if (fixes.length === 0) mends.push({ message: 'invalid YAML is indented with blanks' });
}
