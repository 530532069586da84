import { quoteWord } from '../../model/shell-word.ts';
import { textAt, valueAt } from '../history/json-value.ts';
import { HOOK_TIMEOUT_S, renderSpecific, type HostHook } from '../hooks/host-hook.ts';

const FILE = 'settings.json';
const PROMPT = 'BeforeAgent';

/** Seen in 0.61.0. Limits are in milliseconds here. */
export const geminiHook: HostHook = {
  canAskServer: false,
  useMark: 'AfterTool',
  pieces({ command, recordsUse }) {
    const line = command.map(quoteWord).join(' ');
    const hook = { name: 'skillplane', type: 'command', command: line, timeout: 1_000 * HOOK_TIMEOUT_S };
    const used = { matcher: 'activate_skill', hooks: [hook] };
    return [
      { kind: 'element', file: FILE, at: ['hooks', PROMPT], value: { hooks: [hook] } },
      ...(recordsUse ? [{ kind: 'element' as const, file: FILE, at: ['hooks', 'AfterTool'], value: used }] : []),
    ];
  },
  readEvent(event) {
    const [session, cwd] = [textAt(event, 'session_id') ?? '', textAt(event, 'cwd')];
    const [name, prompt] = [valueAt(event, 'hook_event_name'), textAt(event, 'prompt')];
    if (name === PROMPT && prompt !== undefined)
      return { kind: 'prompt', session, cwd, prompt, transcript: textAt(event, 'transcript_path') };
    const isUse = name === 'AfterTool' && valueAt(event, 'tool_name') === 'activate_skill';
    return isUse ? { kind: 'use', session, cwd, skills: [] } : undefined;
  },
  render: (hint) => renderSpecific(PROMPT, hint),
  spell: (name) => name,
  loading: 'Call activate_skill with it before anything else.',
  afterwards: 'Start Gemini again.',
};
