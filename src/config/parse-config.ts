import type { SkillsSection } from '../model/config.ts';
import { MAX_CONFIG_BYTES } from '../model/limits.ts';
import { skillsSection } from './schema.ts';
import { settingsTable } from './settings.ts';
import { readYaml, type YamlFault } from './yaml-document.ts';

/** One `config.yaml`, understood or not; pure, so that its result can be remembered by the text alone. */
export type ParsedConfig =
  | { readonly ok: true; readonly section: SkillsSection; readonly unknown: readonly string[] }
  | YamlFault;

/** A user's own file may be larger than that of a project: it lists every plugin. */
export function parseConfig(text: string, maxBytes: number = MAX_CONFIG_BYTES): ParsedConfig {
  const read = readYaml(text, maxBytes);
  if (!read.ok) return read;
  const { value } = read;
  if (value === null || value === undefined) return { ok: true, section: {}, unknown: [] };
  if (typeof value !== 'object' || Array.isArray(value)) return { ok: false, line: 1, message: 'must be a mapping' };
  const parsed = skillsSection.safeParse(('skills' in value ? value.skills : undefined) ?? {});
  if (parsed.success) {
    const unknown = Object.keys(parsed.data).filter((key) => !Object.hasOwn(settingsTable, key));
    return { ok: true, section: parsed.data, unknown };
  }
  const [issue] = parsed.error.issues;
  const path = ['skills', ...(issue?.path ?? [])];
  return { ok: false, line: read.lineOf(path), message: `${path.join('.')}: ${issue?.message ?? 'is wrong'}` };
}
