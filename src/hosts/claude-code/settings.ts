import { join } from 'node:path';

import type { HostPlace } from '../host.ts';
import { readJsonSettings, type SettingsFile } from '../seeing/settings-file.ts';
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
  ].map(readJsonSettings);
}

/** The first file with a value for this key that passes, and the value. */
export function firstValue<T>(
  files: readonly SettingsFile[],
  key: string,
  isValid: (value: unknown) => value is T,
): T | undefined {
  return files.map(({ values }) => values[key]).find(isValid);
}
