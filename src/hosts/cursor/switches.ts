import type { HostPlace } from '../host.ts';
import type { Switches } from '../seeing/host-skill.ts';
import { fieldFlag } from '../seeing/skill-text.ts';

/** Read in the source of SDK 1.0.32. Its own switches lie in the app's state, so only the skill's own fields are read. */
export function readCursorSwitches(_place: HostPlace): Switches {
  return {
    files: [],
    faults: [],
    stateOf({ fields }) {
      if (fieldFlag(fields, 'disable-model-invocation') === true)
        return {
          state: 'hidden',
          because: 'its own frontmatter says disable-model-invocation: true',
          remedy: 'Remove that line; until then only users start it, with a slash.',
        };
      if (!fields.has('paths') && !fields.has('globs')) return undefined;
      return {
        state: 'hidden',
        because: 'its frontmatter names paths, so it waits for a matching file',
        remedy: 'Remove paths and globs to have it listed from the start.',
      };
    },
  };
}
