import { join } from 'node:path';

import type { HostPlace } from '../host.ts';
import { objectOf, readJsonSettings, type SettingsFile } from '../seeing/settings-file.ts';
import { claudeFolder } from './folder.ts';

const MANAGED_FILES = [
  '/etc/claude-code/managed-settings.json',
  '/Library/Application Support/ClaudeCode/managed-settings.json',
];

/** The settings files, the strongest first: managed, local, project, user. */
export function readClaudeSettings(place: HostPlace): readonly SettingsFile[] {
  return [
    ...MANAGED_FILES,
    join(place.cwd, '.claude', 'settings.local.json'),
    join(place.cwd, '.claude', 'settings.json'),
    join(claudeFolder(place), 'settings.json'),
  ].map((path) => checkOverrides(readJsonSettings(path)));
}

/** Values of `skillOverrides`. */
const OVERRIDES: readonly string[] = ['on', 'name-only', 'user-invocable-only', 'off'];

/** One value that the program does not know, and it ignores the whole file. */
function checkOverrides(file: SettingsFile): SettingsFile {
  const { path, values } = file;
  const wrong = Object.entries(objectOf(values['skillOverrides'])).find(
    ([, value]) => typeof value !== 'string' || !OVERRIDES.includes(value),
  );
  if (wrong === undefined) return file;
  const [name, value] = wrong;
  const because = `${path}: skillOverrides["${name}"] is ${JSON.stringify(value)}, so Claude Code ignores the whole file`;
  return { path, values: {}, fault: { because, remedy: `Use one of ${OVERRIDES.join(', ')}.` } };
}

/** The first file with a value for this key that passes, and the value. */
export function firstValue<T>(
  files: readonly SettingsFile[],
  key: string,
  isValid: (value: unknown) => value is T,
): T | undefined {
  return files.map(({ values }) => values[key]).find(isValid);
}
