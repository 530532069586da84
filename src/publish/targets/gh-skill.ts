import type { FrontmatterMap } from '../../model/skill.ts';
import { SKILL_FILE } from '../../parse/skill-file.ts';
import { readTypedFrontmatter } from '../../parse/strict/strict-fields.ts';
import { refuses, type GivingTarget, type TargetFinding, type TargetSkill } from './target.ts';

/** Read in the source of `gh skill publish`. */
const NAME = /^[a-z0-9]+(?:-[a-z0-9]+)*$/;
const MAX_NAME = 64;
const INSTALLED_BY_GH = 'github-';

export const ghSkill: GivingTarget = { id: 'gh-skill', title: 'gh skill publish', seenIn: '2.90 (preview)', judge };

function judge({ id, file, bytes, fields }: TargetSkill): readonly TargetFinding[] {
  if (file !== SKILL_FILE) return [refuses(`its file is called ${file}`, { advice: `Rename it to ${SKILL_FILE}.` })];
  const read = readTypedFrontmatter(bytes);
  if (!read.ok) return [refuses(read.message, { advice: 'Write the frontmatter as valid YAML.' })];
  const { name, description, 'allowed-tools': tools, metadata } = read.fields;
  const findings: TargetFinding[] = [];
  const shown = fieldText(fields, 'name');
  if (shown === '') findings.push(refuses('missing required field: name'));
  else if (name !== id) findings.push(refuses(`the name "${shown}" does not match the folder "${id}"`));
  if (shown !== '' && (!NAME.test(shown) || shown.length > MAX_NAME))
    findings.push(refuses(`the name "${shown}" has other characters than a-z, 0-9 and single hyphens, or is too long`));
  if (description === undefined || description === null || description === '')
    findings.push(refuses('missing required field: description'));
  if (Array.isArray(tools))
    findings.push(
      refuses('allowed-tools is a list', { advice: 'Write it as one text, with blanks between the tools.' }),
    );
  const keys = Object.keys(Object(metadata)).filter((key) => key.startsWith(INSTALLED_BY_GH));
  if (keys.length > 0)
    findings.push(
      refuses(`metadata has what \`gh skill install\` wrote: ${keys.join(', ')}`, { advice: 'Remove these keys.' }),
    );
  return findings;
}

function fieldText(fields: FrontmatterMap, key: string): string {
  const value = fields.get(key);
  return typeof value === 'string' ? value.trim() : '';
}
