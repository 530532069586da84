import { join } from 'node:path';

import { agentFolder } from '../../sources/agent-folders.ts';
import type { HostPlace } from '../host.ts';
import { readJsonSettings, type SettingsFile } from '../seeing/settings-file.ts';
import { upwardFrom } from '../seeing/upward.ts';

export function opencodeFolder(place: HostPlace): string {
  return agentFolder('opencode', place);
}

/** A folder that is read beside the usual ones, if a variable names it. */
export function opencodeFurtherFolder({ variables }: HostPlace): readonly string[] {
  const further = variables['OPENCODE_CONFIG_DIR'];
  return further === undefined || further === '' ? [] : [further];
}

const NAMES = ['opencode.json', 'opencode.jsonc'];

/** The settings files, the weakest first: the user's, one that a variable names, then the project's from above to here. */
export function readOpencodeSettings(place: HostPlace): readonly SettingsFile[] {
  const own = opencodeFolder(place);
  const named = place.variables['OPENCODE_CONFIG'];
  const projects = upwardFrom(place.cwd, place.home).toReversed();
  return [
    ...['config.json', ...NAMES].map((name) => join(own, name)),
    ...(named === undefined || named === '' ? [] : [named]),
    ...projects.flatMap((dir) => NAMES.map((name) => join(dir, name))),
    ...[
      join(place.home, '.opencode'),
      ...projects.map((dir) => join(dir, '.opencode')),
      ...opencodeFurtherFolder(place),
    ].flatMap((dir) => NAMES.map((name) => join(dir, name))),
  ].map(readJsonSettings);
}
