import { itemsAt, textAt, valueAt } from '../history/json-value.ts';
import type { HostHook } from '../hooks/host-hook.ts';
import { renderPlugin } from './plugin.ts';

/**
 * Seen in 1.18.33. Its hooks are functions of a module, so ours is one that asks us by a process. With any such module, a start
 * waits until `@opencode-ai/plugin` is in `node_modules` beside the settings: without a network, until npm gives up.
 */
export const opencodeHook: HostHook = {
  canAskServer: false,
  useMark: 'RECORDS_USE = true',
  pieces: (call) => [{ kind: 'file', file: 'plugins/skillplane.js', text: renderPlugin(call) }],
  readEvent(event) {
    const [session, cwd] = [textAt(event, 'session') ?? '', textAt(event, 'cwd')];
    const [prompt, skill] = [textAt(event, 'prompt'), textAt(event, 'skill')];
    const active = itemsAt(event, 'active').filter((name) => typeof name === 'string');
    if (valueAt(event, 'event') === 'prompt' && prompt !== undefined)
      return { kind: 'prompt', session, cwd, prompt, active };
    if (valueAt(event, 'event') !== 'use' || skill === undefined) return undefined;
    return { kind: 'use', session, cwd, id: textAt(event, 'call'), skills: [skill] };
  },
  render: (hint) => JSON.stringify({ hint }),
  spell: (name) => name,
  loading: 'Call the skill tool with it before anything else.',
  afterwards: 'Start OpenCode again.',
};
