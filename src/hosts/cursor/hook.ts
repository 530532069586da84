import { quoteWord } from '../../model/shell-word.ts';
import { textAt, valueAt } from '../history/json-value.ts';
import { HOOK_TIMEOUT_S, type HostHook } from '../hooks/host-hook.ts';

const FILE = 'hooks.json';
const PROMPT = 'beforeSubmitPrompt';

/** Read in the source of SDK 1.0.32, which takes and passes on the context; its documentation does not name it. */
export const cursorHook: HostHook = {
  canAskServer: false,
  useMark: 'postToolUse',
  pieces({ command, recordsUse }) {
    const hook = { command: command.map(quoteWord).join(' '), timeout: HOOK_TIMEOUT_S };
    const used = { ...hook, matcher: 'Read' };
    return [
      { kind: 'value', file: FILE, at: ['version'], value: 1 },
      { kind: 'element', file: FILE, at: ['hooks', PROMPT], value: hook },
      ...(recordsUse ? [{ kind: 'element' as const, file: FILE, at: ['hooks', 'postToolUse'], value: used }] : []),
    ];
  },
  readEvent(event) {
    const session = textAt(event, 'conversation_id') ?? textAt(event, 'session_id') ?? '';
    const cwd = textAt(valueAt(event, 'workspace_roots'), '0') ?? textAt(event, 'cwd');
    const [name, prompt] = [valueAt(event, 'hook_event_name'), textAt(event, 'prompt')];
    if (name === PROMPT && prompt !== undefined)
      return { kind: 'prompt', session, cwd, prompt, transcript: textAt(event, 'transcript_path') };
    const isRead = JSON.stringify(valueAt(event, 'tool_input') ?? '').includes('SKILL.md');
    return name === 'postToolUse' && isRead ? { kind: 'use', session, cwd, skills: [] } : undefined;
  },
  render: (hint) => JSON.stringify({ continue: true, additional_context: hint }),
  spell: (name) => name,
  loading: 'Read its SKILL.md before anything else.',
  afterwards: 'Start Cursor again. Whether its model heeds a hint is not proven.',
};
