import { join } from 'node:path';

import type { HostPlace } from '../host.ts';
import type { Switches } from '../seeing/host-skill.ts';
import { faultsOf, objectOf, readJsonSettings, textsOf } from '../seeing/settings-file.ts';
import { geminiFolder } from './folder.ts';
import { isTrustedFolder } from './trust.ts';

/** Seen in 0.61.0: the lists of the user and of a trusted workspace are united, and letters' case does not count. */
export function readGeminiSwitches(place: HostPlace): Switches {
  const user = readJsonSettings(join(geminiFolder(place), 'settings.json'));
  const workspace = readJsonSettings(join(place.cwd, '.gemini', 'settings.json'));
  const counting = isTrustedFolder(place) ? [workspace, user] : [user];
  return {
    files: [user.path, workspace.path],
    faults: faultsOf([user, workspace]),
    stateOf({ name }) {
      for (const { path, values } of counting) {
        const { enabled, disabled } = objectOf(values['skills']);
        const isOff = enabled === false;
        if (!isOff && !textsOf(disabled).some((each) => each.toLowerCase() === name.toLowerCase())) continue;
        return {
          state: 'hidden',
          file: path,
          because: isOff ? `skills.enabled is false in ${path}` : `skills.disabled in ${path} names it`,
          remedy: isOff ? 'Remove that line.' : 'Remove it from that list.',
        };
      }
      return undefined;
    },
  };
}
