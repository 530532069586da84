import { dirname, join } from 'node:path';

import { isInside, realPath } from '../../platform/files/files.ts';
import type { HostPlace } from '../host.ts';
import { objectOf, readJsonSettings } from '../seeing/settings-file.ts';
import { geminiFolder } from './folder.ts';

/** Is the working directory a folder whose skills are read? Seen in 0.61.0. */
export function isTrustedFolder(place: HostPlace): boolean {
  const { cwd, variables } = place;
  if (variables['GEMINI_RESTRICTED_MODE'] === 'true' || variables['GEMINI_CLI_TRUST_WORKSPACE'] === 'false')
    return false;
  if (variables['GEMINI_CLI_TRUST_WORKSPACE'] === 'true') return true;
  const { security } = readJsonSettings(join(geminiFolder(place), 'settings.json')).values;
  if (objectOf(objectOf(security)['folderTrust'])['enabled'] === false) return true;
  const rules = readJsonSettings(
    variables['GEMINI_CLI_TRUSTED_FOLDERS_PATH'] || join(geminiFolder(place), 'trustedFolders.json'),
  );
  const here = realPath(cwd) ?? cwd;
  const matching = Object.entries(rules.values)
    .map(([path, level]) => ({ path: level === 'TRUST_PARENT' ? dirname(path) : path, level }))
    .map(({ path, level }) => ({ path: realPath(path) ?? path, level }))
    .filter(({ path }) => isInside(here, path))
    .sort((a, b) => b.path.length - a.path.length);
  return matching[0] !== undefined && matching[0].level !== 'DO_NOT_TRUST';
}
