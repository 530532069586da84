import { join } from 'node:path';

import { isInside } from '../../platform/files/files.ts';
import type { HostPlace } from '../host.ts';
import type { Switches } from '../seeing/host-skill.ts';
import { faultsOf, readJsonSettings, textsOf } from '../seeing/settings-file.ts';
import { fieldFlag } from '../seeing/skill-text.ts';
import { upwardFrom } from '../seeing/upward.ts';
import { copilotFolder } from './discovery.ts';

/** Seen in 1.0.102. A repository that is trusted may add to the list. */
export function readCopilotSwitches(place: HostPlace): Switches {
  const root = upwardFrom(place.cwd).at(-1) ?? place.cwd;
  const { trustedFolders } = readJsonSettings(join(copilotFolder(place), 'config.json')).values;
  const isTrusted = textsOf(trustedFolders).some((path) => isInside(root, path));
  const files = [
    join(copilotFolder(place), 'settings.json'),
    ...(isTrusted ? [join(root, '.github', 'copilot', 'settings.json')] : []),
  ].map(readJsonSettings);
  return {
    files: files.map(({ path }) => path),
    faults: faultsOf(files),
    stateOf({ name, fields }) {
      const file = files.find(({ values }) => textsOf(values['disabledSkills']).includes(name));
      if (file !== undefined)
        return {
          state: 'hidden',
          file: file.path,
          because: `disabledSkills in ${file.path} names it`,
          remedy: 'Remove it from that list.',
        };
      if (fieldFlag(fields, 'disable-model-invocation') !== true) return undefined;
      return {
        state: 'hidden',
        because: 'its own frontmatter says disable-model-invocation: true',
        remedy: 'Remove that line; until then only users start it, with a slash.',
      };
    },
  };
}
