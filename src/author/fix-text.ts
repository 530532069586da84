import { basename } from 'node:path';

import { fail, type Outcome } from '../model/outcome.ts';
import type { FrontmatterMap } from '../model/skill.ts';
import { normalizeText, readFrontmatter } from '../parse/frontmatter.ts';
import { findNameFaults } from '../parse/name-rules.ts';
import { parseSkill } from '../parse/parse-skill.ts';
import { closeFrontmatter, joinText, openSkillText } from '../parse/skill-text.ts';
import { dropRepeated, editFields } from '../parse/yaml/edit-fields.ts';
import { readYaml } from '../parse/yaml/read-yaml.ts';
import { fixFields, type Fix, type Fixing } from './fix-fields.ts';
import { findNewErrors } from './validate-text.ts';

export interface FixTextOptions {
  /** Keeps only the six fields of the Agent Skills specification. */
  readonly spec?: boolean | undefined;
}

export interface FixedText {
  readonly text: string;
  /** Empty if nothing was fixed. */
  readonly fixes: readonly Fix[];
}

/**
 * Fixes what `validate` reports in a SKILL.md, but only where there is one right form and loading reads it that way
 * already. The body, comments and all other fields stay byte for byte.
 */
export function fixText(text: string, dir: string, { spec = false }: FixTextOptions = {}): FixedText {
  const fixes: Fix[] = [];
  const fixed = fixAll(text, { id: basename(dir), spec, fixes });
  const isSound =
    fixed.ok && fixes.length > 0 && isRightName(fixed.text, fixes, dir) && saysTheSame(text, fixed.text, dir);
  return isSound ? { text: fixed.text, fixes } : { text, fixes: [] };
}

/** A name that had to be pieced together must be one that a skill may have. */
function isRightName(text: string, fixes: readonly Fix[], dir: string): boolean {
  if (fixes.every(({ field }) => field !== 'name')) return true;
  const parsed = parseSkill(text, { dir });
  return parsed.ok && findNameFaults(parsed.skill.name).length === 0;
}

/** A fix must not add an error, nor change the instructions or the description as loading reads them. */
function saysTheSame(before: string, after: string, dir: string): boolean {
  const [was, is] = [parseSkill(before, { dir }), parseSkill(after, { dir })];
  if (!was.ok || !is.ok || findNewErrors(dir, after, { before }).length > 0) return false;
  return was.body === is.body && was.skill.description === is.skill.description;
}

function fixAll(text: string, { id, spec, fixes }: Fixing): Outcome<{ readonly text: string }> {
  const started = fixStart(text, fixes);
  const { split, map } = readFrontmatter(normalizeText(started));
  if (split.kind === 'none' || map === undefined || !isHeader(map))
    return fail('PARSE_FAILED', 'no frontmatter to fix');
  const closed = closeFrontmatter(started);
  if (closed !== started) fixes.push({ message: 'close the frontmatter with ---' });
  const opened = openSkillText(closed);
  if (!opened.ok) return opened;
  const { halves } = opened;
  reportQuoted(closed, fixes);
  const once = dropRepeated(halves.yaml);
  if (once !== halves.yaml) fixes.push({ message: 'drop fields that repeat an earlier one' });
  const changes = fixFields(readYaml(once).map ?? map, { id, spec, fixes });
  const edited = editFields(once, changes);
  return edited.ok ? { ok: true, text: joinText({ ...halves, yaml: edited.yaml }) } : edited;
}

/** Text between two rules is frontmatter only if it has one of these fields. */
function isHeader(map: FrontmatterMap): boolean {
  return map.has('name') || map.has('description');
}

function fixStart(text: string, fixes: Fix[]): string {
  const started = text.replace(/^\uFEFF?(?:[ \t]*\r?\n)*(?=---[ \t]*\r?\n)/, '');
  if (started !== text) fixes.push({ message: 'start the file with ---' });
  return started;
}

function reportQuoted(text: string, fixes: Fix[]): void {
  const reading = readFrontmatter(normalizeText(text));
  if (!reading.isRecovered) return;
  for (const { field, rewritten } of reading.fixes)
    fixes.push({ field, message: `rewrite invalid YAML as ${rewritten}` });
  if (reading.fixes.length === 0) fixes.push({ message: 'indent with spaces instead of tabs' });
}
