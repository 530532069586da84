import type { SkillFolder } from '../../model/folder.ts';
import { MAX_SKILL_FILE_BYTES } from '../../model/limits.ts';
import { fail, type Outcome } from '../../model/outcome.ts';
import type { FrontmatterMap, PlainValue } from '../../model/skill.ts';
import { decodeStrictly } from '../decode.ts';
import { toPlain } from '../fields.ts';
import { normalizeText } from '../frontmatter.ts';
import { readFrontmatter } from '../read-frontmatter.ts';
import { findSkillFile } from '../skill-file.ts';

/** The specification's fields that a skill sets, in the order and spelling of the reference tool. */
export interface SkillProperties {
  readonly name: string;
  readonly description: string;
  readonly license?: PlainValue;
  readonly compatibility?: PlainValue;
  readonly 'allowed-tools'?: PlainValue;
  readonly metadata?: PlainValue;
}

/** Reads a skill's properties as the reference tool does: strictly, but without checking limits. */
export function readFolderProperties(
  folder: SkillFolder,
): Outcome<{ readonly properties: SkillProperties; readonly file: string }> {
  const state = folder.state();
  if (state === 'missing') return fail('SKILL_NOT_FOUND', `the path does not exist: ${folder.dir}`);
  if (state === 'not-directory') return fail('SKILL_NOT_FOUND', `the path is not a directory: ${folder.dir}`);
  const file = findSkillFile(folder.names());
  if (file === undefined) return fail('SKILL_NOT_FOUND', `SKILL.md not found in ${folder.dir}`);
  const content = folder.read(file, MAX_SKILL_FILE_BYTES);
  if (!content.ok) return fail('STORE_FAILED', `${file} cannot be read: ${content.message}`);
  const text = decodeStrictly(content.bytes);
  if (text === undefined) return fail('PARSE_FAILED', `${file} is not valid UTF-8`);
  const map = readMap(text);
  if (!map.ok) return map;
  const name = requireText(map.values, 'name');
  if (!name.ok) return name;
  const description = requireText(map.values, 'description');
  if (!description.ok) return description;
  return {
    ok: true,
    properties: { name: name.text, description: description.text, ...optionalFields(map.values) },
    file,
  };
}

function readMap(text: string): Outcome<{ readonly values: FrontmatterMap }> {
  const { split, map, faults } = readFrontmatter(normalizeText(text));
  if (split.kind === 'none')
    return fail('PARSE_FAILED', 'SKILL.md must start with frontmatter between two lines of ---');
  if (split.kind === 'unclosed')
    return fail('PARSE_FAILED', 'the frontmatter is not properly closed with a line of ---');
  const [fault] = faults;
  if (fault?.kind === 'not-mapping')
    return fail('PARSE_FAILED', 'the frontmatter must be a mapping of fields to values');
  if (map === undefined || fault !== undefined) {
    return fail('PARSE_FAILED', `invalid YAML in line ${fault?.line}: ${fault?.message}`);
  }
  return { ok: true, values: map };
}

function requireText(values: FrontmatterMap, field: string): Outcome<{ readonly text: string }> {
  if (!values.has(field)) return fail('PARSE_FAILED', `missing required field: ${field}`);
  const value = values.get(field);
  if (typeof value === 'string' && value.trim() !== '') return { ok: true, text: value.trim() };
  return fail('PARSE_FAILED', `the field ${field} must be non-empty text`);
}

function optionalFields(values: FrontmatterMap): Partial<SkillProperties> {
  const fields = ['license', 'compatibility', 'allowed-tools', 'metadata'].flatMap((field) => {
    const value = values.get(field) ?? undefined;
    const isEmptyMap = field === 'metadata' && value instanceof Map && value.size === 0;
    return value === undefined || isEmptyMap ? [] : [[field, toPlain(value)] as const];
  });
  return Object.fromEntries(fields);
}
