import type { Outcome } from '../../model/outcome.ts';
import { readOwnText } from '../../platform/files/files.ts';
import { parseJsonValue } from '../editing/json-text.ts';
import { parseTomlText } from '../editing/toml-text.ts';
import type { Reason } from './host-skill.ts';

export type SettingsObject = Readonly<Record<string, unknown>>;

/** A settings file of a host. A file that does not exist is empty; one that cannot be read is empty and has a fault. */
export interface SettingsFile {
  readonly path: string;
  readonly values: SettingsObject;
  readonly fault?: Reason | undefined;
}

/** Reads JSON, with or without comments. */
export function readJsonSettings(path: string): SettingsFile {
  return readSettings(path, parseJsonValue);
}

export function readTomlSettings(path: string): SettingsFile {
  return readSettings(path, parseTomlText);
}

function readSettings(path: string, parse: (text: string) => Outcome<{ readonly value: unknown }>): SettingsFile {
  const read = readOwnText(path);
  if (!read.ok) return { path, values: {}, fault: { because: read.message } };
  if (read.text === undefined || read.text.trim() === '') return { path, values: {} };
  const parsed = parse(read.text.replace(/^\uFEFF/, ''));
  if (parsed.ok) return { path, values: objectOf(parsed.value) };
  const because = `${path}: ${parsed.message}`;
  return {
    path,
    values: {},
    fault: { because, next: { ask: 'user', to: 'Correct the file: its switches do not count.' } },
  };
}

/** The value if it is an object, or an empty one. */
export function objectOf(value: unknown): SettingsObject {
  return isObject(value) ? value : {};
}

export function textsOf(value: unknown): readonly string[] {
  return Array.isArray(value) ? value.filter((each) => typeof each === 'string') : [];
}

function isObject(value: unknown): value is SettingsObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** The faults of these files. */
export function faultsOf(files: readonly SettingsFile[]): readonly Reason[] {
  return files.flatMap(({ fault }) => (fault === undefined ? [] : [fault]));
}
