import type { SkillsSection } from '../model/config.ts';
import { MAX_CONFIG_BYTES } from '../model/limits.ts';
import type { Outcome } from '../model/outcome.ts';
import { fileFailure, readPlainYaml, type FileFailure, type PlainYaml } from '../parse/yaml/plain-yaml.ts';
import { isValidEntry, skillsSection } from './schema.ts';
import { isSetting, settingsTable, type SettingName } from './settings.ts';
import { readStrictly } from './strict-reading.ts';

export interface ParsedConfig {
  /** Wrong values are read by the strict rule of their setting. */
  readonly section: SkillsSection;
  /** Every mistake in the value of a setting, in the order of the file. */
  readonly faults: readonly ConfigFault[];
  /** Keys of the section that are not settings. */
  readonly unknown: readonly string[];
}

export interface ConfigFault {
  readonly setting: SettingName;
  readonly line: number;
  /** Says what is wrong, and what holds until it is corrected. */
  readonly message: string;
}

/**
 * Parses a `config.yaml`. Fails only if the text or its `skills:` section is not a YAML mapping; a wrong value costs its own
 * setting alone. Pure: the result can be cached by the text.
 */
export function parseConfig(text: string, maxBytes: number = MAX_CONFIG_BYTES): Outcome<ParsedConfig, FileFailure> {
  const read = readPlainYaml(text, maxBytes);
  if (!read.ok) return read;
  const { value } = read;
  if (value === null || value === undefined) return { ok: true, section: {}, faults: [], unknown: [] };
  if (!isMapping(value)) return fileFailure(1, 'must be a mapping');
  const given = value['skills'] ?? {};
  if (!isMapping(given)) return fileFailure(read.lineOf(['skills']), 'skills: must be a mapping');
  const unknown = Object.keys(given).filter((key) => !isSetting(key));
  return { ok: true, ...parseSettings(given, read.lineOf), unknown };
}

type Mapping = Readonly<Record<string, unknown>>;

function isMapping(value: unknown): value is Mapping {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function parseSettings(given: Mapping, lineOf: PlainYaml['lineOf']): Pick<ParsedConfig, 'section' | 'faults'> {
  const parsed = skillsSection.safeParse(given);
  if (parsed.success) return { section: parsed.data, faults: [] };
  const issues = Map.groupBy(parsed.error.issues, ({ path }) => String(path[0]));
  const corrected: Record<string, unknown> = { ...given };
  const faults = [...issues].flatMap(([setting, wrong]): readonly ConfigFault[] => {
    if (!isSetting(setting)) return [];
    const { unreadable } = settingsTable[setting];
    const strict = readStrictly(unreadable, given[setting], (entry) => isValidEntry(setting, entry));
    corrected[setting] = strict.value;
    return wrong.slice(0, MAX_FAULTS).map(({ path, message }, at) => {
      const more = at === MAX_FAULTS - 1 && wrong.length > MAX_FAULTS ? `, and ${wrong.length - MAX_FAULTS} more` : '';
      const full = ['skills', ...path];
      return { setting, line: lineOf(full), message: `${full.join('.')}: ${message}${more}; ${strict.consequence}` };
    });
  });
  return { section: skillsSection.parse(corrected), faults: faults.sort((a, b) => a.line - b.line) };
}

/** Per setting; the last one counts the rest. */
const MAX_FAULTS = 20;
