import type { SkillsSection } from '../model/config.ts';
import { MAX_CONFIG_BYTES } from '../model/limits.ts';
import { listSome } from '../model/list-some.ts';
import { findMeant } from '../model/nearest.ts';
import type { Outcome } from '../model/outcome.ts';
import {
  fileFailure,
  readPlainYaml,
  readRepeatedYaml,
  type FileFailure,
  type PlainYaml,
} from '../parse/yaml/plain-yaml.ts';
import { recoverYaml } from '../parse/yaml/recover.ts';
import { isMapping } from './kinds.ts';
import {
  findSwitched,
  settingNames,
  settingsTable,
  switchNames,
  type Setting,
  type SourceSwitches,
  type UnreadableRule,
} from './settings.ts';

export interface ParsedConfig {
  /** Wrong values are read by the strict rule of their setting. */
  readonly section: SkillsSection;
  /** Every mistake in the value of a setting, in the order of the file. */
  readonly faults: readonly ConfigFault[];
  /** Keys of the section that are not settings. */
  readonly unknown: readonly UnknownSetting[];
}

export interface UnknownSetting {
  readonly key: string;
  /** Undefined after the first few, like `nearest`: a hostile file may have thousands. */
  readonly line: number | undefined;
  /** The setting that its author may have meant. */
  readonly nearest: string | undefined;
}

export interface ConfigFault {
  /** A setting, or a switch of a source. */
  readonly setting: string;
  readonly line: number;
  /** Says what is wrong, and what holds until it is corrected. */
  readonly message: string;
}

/**
 * Parses a `config.yaml`. Fails only if the text or its `skills:` section is not a YAML mapping; a wrong value costs its own
 * setting alone.
 */
export function parseConfig(text: string, maxBytes: number = MAX_CONFIG_BYTES): Outcome<ParsedConfig, FileFailure> {
  const read = readPlainYaml(text, maxBytes);
  return read.ok ? parsePlain(read) : read;
}

/**
 * Salvages a text that `parseConfig` rejects: invalid values become text, and repeated settings keep all their values,
 * so that disabled things stay disabled. Undefined if this fails.
 */
export function recoverConfig(text: string, maxBytes: number = MAX_CONFIG_BYTES): ParsedConfig | undefined {
  if (Buffer.byteLength(text) > maxBytes) return undefined;
  const { yaml } = recoverYaml(text.replaceAll('\r\n', '\n'));
  const read = readRepeatedYaml(yaml, 2 * maxBytes);
  const parsed = read.ok ? parsePlain(read) : read;
  return parsed.ok ? parsed : undefined;
}

function parsePlain(read: PlainYaml): Outcome<ParsedConfig, FileFailure> {
  const { value } = read;
  if (value === null || value === undefined) return { ok: true, section: {}, faults: [], unknown: [] };
  if (!isMapping(value)) return fileFailure(1, 'must be a mapping');
  const given = value['skills'] ?? {};
  if (!isMapping(given)) return fileFailure(read.lineOf(['skills']), 'skills: must be a mapping');
  const { section, faults } = parseSettings(given, read.lineOf);
  const switches = parseSwitches(given, read.lineOf);
  return {
    ok: true,
    section: applySwitches(section, switches.values),
    faults: [...faults, ...switches.faults].sort((a, b) => a.line - b.line),
    unknown: findUnknown(given, read.lineOf),
  };
}

type Mapping = Readonly<Record<string, unknown>>;

function parseSettings(given: Mapping, lineOf: PlainYaml['lineOf']): Pick<ParsedConfig, 'section' | 'faults'> {
  const section: Record<string, unknown> = {};
  const faults: ConfigFault[] = [];
  for (const setting of settingNames) {
    const value = given[setting];
    // An empty value (`disabled:`) is treated as missing.
    if (value === undefined || value === null) continue;
    const { type, unreadable }: Setting = settingsTable[setting];
    const checked = type.check(value);
    if (checked.ok) {
      section[setting] = checked.value;
      continue;
    }
    const strict = readStrictly(unreadable, value, (entry) => type.check([entry]).ok);
    const corrected = strict.value === undefined ? undefined : type.check(strict.value);
    if (corrected?.ok === true) section[setting] = corrected.value;
    const rest = checked.faults.length - MAX_FAULTS;
    for (const [at, { path, message }] of checked.faults.slice(0, MAX_FAULTS).entries()) {
      const more = at === MAX_FAULTS - 1 && rest > 0 ? `, and ${rest} more` : '';
      const full = ['skills', setting, ...path];
      faults.push({
        setting,
        line: lineOf(full),
        message: `${full.join('.')}: ${message}${more}; ${strict.consequence}`,
      });
    }
  }
  return { section, faults };
}

/** Per setting; the last one counts the rest. */
const MAX_FAULTS = 20;

function parseSwitches(
  given: Mapping,
  lineOf: PlainYaml['lineOf'],
): { readonly values: SourceSwitches; readonly faults: readonly ConfigFault[] } {
  const set = switchNames.filter((key) => given[key] !== undefined && given[key] !== null);
  const wrong = set.filter((key) => typeof given[key] !== 'boolean');
  const message = 'must be true or false; using false until you fix it';
  return {
    values: Object.fromEntries(set.map((key) => [key, given[key] === true])),
    faults: wrong.map((key) => ({ setting: key, line: lineOf(['skills', key]), message: `skills.${key}: ${message}` })),
  };
}

/** The section with the switches as entries of its lists of sources. */
function applySwitches(section: SkillsSection, switches: SourceSwitches): SkillsSection {
  if (Object.keys(switches).length === 0) return section;
  const { disabledSources, enabledSources } = findSwitched(switches);
  return {
    ...section,
    disabledSources: [...(section.disabledSources ?? []), ...disabledSources],
    enabledSources: [...(section.enabledSources ?? []), ...enabledSources],
  };
}

function findUnknown(given: Mapping, lineOf: PlainYaml['lineOf']): readonly UnknownSetting[] {
  const known: readonly string[] = [...settingNames, ...switchNames];
  return Object.keys(given)
    .filter((key) => !known.includes(key))
    .map((key, at) =>
      at < MAX_FAULTS
        ? { key, line: lineOf(['skills', key]), nearest: findMeant(key, known) }
        : { key, line: undefined, nearest: undefined },
    );
}

interface StrictReading {
  /** A valid value in the form of the file; undefined counts as not given. */
  readonly value: unknown;
  /** The end of a message: how the value counts until it is corrected. */
  readonly consequence: string;
}

/** Is this a valid entry of the list? */
type EntryCheck = (entry: unknown) => boolean;

/** Reads an invalid value so that a mistake never allows more than its author meant. */
function readStrictly(rule: UnreadableRule, value: unknown, isGood: EntryCheck): StrictReading {
  return READERS[rule](value, isGood);
}

const READERS: Readonly<Record<UnreadableRule, (value: unknown, isGood: EntryCheck) => StrictReading>> = {
  'is ignored': () => ({ value: undefined, consequence: 'this value is ignored' }),
  'counts as false': () => ({ value: false, consequence: 'using false until you fix it' }),
  'counts as require': () => ({ value: 'require', consequence: 'using require until you fix it' }),
  'counts as info': () => ({ value: 'info', consequence: 'using info until you fix it' }),
  'keeps every name': (value) => {
    const names = collectNames(value);
    return names.length === 0 ? { value: [], consequence: 'it contains no readable name' } : keep(names);
  },
  'keeps good entries': (value, isGood) => {
    const good = entriesOf(value).filter(isGood);
    return good.length === 0 ? { value: [], consequence: 'this value is ignored' } : keep(good);
  },
  'allows good entries': (value, isGood) => {
    const good = (isGood(value) ? [value] : entriesOf(value)).filter(isGood);
    // An empty allow-list would allow everything; no skill has the empty name.
    return good.length === 0 ? { value: [''], consequence: 'nothing is allowed until you fix it' } : keep(good);
  },
  'disables bad entries': (value, isGood) => ({
    value: pluginsOf(value).flatMap((entry) => (isGood(entry) ? [entry] : disablePlugin(entry))),
    consequence: 'skills with a wrong entry are disabled until you fix it',
  }),
};

function keep(entries: readonly unknown[]): StrictReading {
  return { value: entries, consequence: `these entries apply: ${listSome(entries.map(String), { most: 5 })}` };
}

function entriesOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}

/** Every name in a value: texts, entries of lists, and keys, since `- pdf: why` is a mapping. */
function collectNames(value: unknown): readonly string[] {
  if (Array.isArray(value)) return value.flatMap(collectNames);
  if (typeof value === 'object') return Object.keys(value ?? {});
  return typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean' ? [String(value)] : [];
}

/** The entries of the list. A mapping or an address in its place names plugins, too, but none that is enabled. */
function pluginsOf(value: unknown): readonly unknown[] {
  if (Array.isArray(value)) return value;
  return typeof value === 'string' ? [{ url: value, enabled: '' }] : collectNames(value).map((name) => ({ name }));
}

/** The plugin with what can be read of its address and name, switched off. */
function disablePlugin(entry: unknown): readonly object[] {
  if (typeof entry !== 'object' || entry === null) return [];
  const { url, ref, name }: { url?: unknown; ref?: unknown; name?: unknown } = entry;
  if (typeof url !== 'string' && typeof name !== 'string') return [];
  const known = Object.entries({ ref, name }).filter(([, text]) => typeof text === 'string');
  return [{ url: typeof url === 'string' ? url : '', ...Object.fromEntries(known), enabled: false }];
}
