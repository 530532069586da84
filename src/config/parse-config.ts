import type { SkillsSection } from '../model/config.ts';
import { MAX_CONFIG_BYTES } from '../model/limits.ts';
import type { Outcome } from '../model/outcome.ts';
import { fileFailure, readPlainYaml, type FileFailure } from '../parse/yaml/plain-yaml.ts';
import { skillsSection } from './schema.ts';
import { settingsTable } from './settings.ts';

export interface ParsedConfig {
  readonly section: SkillsSection;
  /** Keys of the section that are not settings. */
  readonly unknown: readonly string[];
}

/** Parses a `config.yaml`. Pure: the result can be cached by the text. */
export function parseConfig(text: string, maxBytes: number = MAX_CONFIG_BYTES): Outcome<ParsedConfig, FileFailure> {
  const read = readPlainYaml(text, maxBytes);
  if (!read.ok) return read;
  const { value } = read;
  if (value === null || value === undefined) return { ok: true, section: {}, unknown: [] };
  if (typeof value !== 'object' || Array.isArray(value)) return fileFailure(1, 'must be a mapping');
  const parsed = skillsSection.safeParse(('skills' in value ? value.skills : undefined) ?? {});
  if (parsed.success) {
    const unknown = Object.keys(parsed.data).filter((key) => !Object.hasOwn(settingsTable, key));
    return { ok: true, section: parsed.data, unknown };
  }
  const [issue] = parsed.error.issues;
  const path = ['skills', ...(issue?.path ?? [])];
  return fileFailure(read.lineOf(path), `${path.join('.')}: ${issue?.message ?? 'is wrong'}`);
}
