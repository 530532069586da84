import { createRequire } from 'node:module';

import type { ParseError } from 'jsonc-parser';
import { parse as parseToml, TomlError } from 'smol-toml';

import { readOwnText } from '../../platform/files/files.ts';
import type { Reason } from './host-skill.ts';

const require = createRequire(import.meta.url);
// `require` is untyped. The package's ES module build cannot be imported by Node.
// oxlint-disable-next-line typescript/no-unsafe-type-assertion
const jsonc = require('jsonc-parser') as typeof import('jsonc-parser');

export type SettingsObject = Readonly<Record<string, unknown>>;

/** A settings file of a host. A file that does not exist is empty; one that cannot be read is empty and has a fault. */
export interface SettingsFile {
  readonly path: string;
  readonly values: SettingsObject;
  readonly fault?: Reason | undefined;
}

/** Reads JSON, with or without comments. */
export function readJsonSettings(path: string): SettingsFile {
  return readSettings(path, (text) => {
    const errors: ParseError[] = [];
    const value: unknown = jsonc.parse(text, errors, { allowTrailingComma: true });
    const [error] = errors;
    return error === undefined
      ? { value }
      : { fault: `line ${text.slice(0, error.offset).split('\n').length} is not valid JSON` };
  });
}

export function readTomlSettings(path: string): SettingsFile {
  return readSettings(path, (text) => {
    try {
      return { value: parseToml(text) };
    } catch (error) {
      if (!(error instanceof TomlError)) throw error;
      return { fault: `line ${error.line} is not valid TOML` };
    }
  });
}

function readSettings(
  path: string,
  parse: (text: string) => { readonly value?: unknown; readonly fault?: string },
): SettingsFile {
  const read = readOwnText(path);
  if (!read.ok) return { path, values: {}, fault: { because: read.message } };
  if (read.text === undefined || read.text.trim() === '') return { path, values: {} };
  const { value, fault } = parse(read.text.replace(/^\uFEFF/, ''));
  if (fault !== undefined)
    return {
      path,
      values: {},
      fault: { because: `${path}: ${fault}`, remedy: 'Correct the file: its switches do not count.' },
    };
  return { path, values: objectOf(value) };
}

/** The value if it is an object, else an empty one. */
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
