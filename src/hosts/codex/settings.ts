import { join } from 'node:path';

import type { HostPlace } from '../host.ts';
import { objectOf, readTomlSettings, type SettingsFile, type SettingsObject } from '../seeing/settings-file.ts';
import { codexFolder } from './discovery.ts';

/** The user's own file; a project's file has no say over skills. */
export function readCodexSettings(place: HostPlace): SettingsFile {
  return readTomlSettings(join(codexFolder(place), 'config.toml'));
}

/** The table `[skills]`. */
export function skillsTable({ values }: SettingsFile): SettingsObject {
  return objectOf(values['skills']);
}
