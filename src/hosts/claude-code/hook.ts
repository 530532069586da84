import { textAt, valueAt } from '../history/json-value.ts';
import { askServer, HOOK_TIMEOUT_S, renderSpecific, type HostHook } from '../hooks/host-hook.ts';

const FILE = 'settings.json';
const PROMPT = 'UserPromptSubmit';

/** Seen in 2.1.325. */
export const claudeHook: HostHook = {
  canAskServer: true,
  useMark: 'PostToolUse',
  pieces({ command, server, recordsUse }) {
    const [program = '', ...args] = command;
    // With `args` no shell is started.
    const process = { type: 'command', command: program, args, timeout: HOOK_TIMEOUT_S };
    const fields = {
      prompt: '${prompt}',
      session: '${session_id}',
      transcript: '${transcript_path}',
    };
    const asked = server === undefined ? process : askServer(server, fields);
    const used = { matcher: 'Skill', hooks: [process] };
    return [
      { kind: 'element', file: FILE, at: ['hooks', PROMPT], value: { hooks: [asked] } },
      ...(recordsUse ? [{ kind: 'element' as const, file: FILE, at: ['hooks', 'PostToolUse'], value: used }] : []),
    ];
  },
  readEvent(event) {
    // Cursor runs the hooks of Claude Code, too; it has one of its own.
    if (valueAt(event, 'cursor_version') !== undefined) return undefined;
    const place = { session: textAt(event, 'session_id') ?? '', cwd: textAt(event, 'cwd') };
    const [prompt, skill] = [textAt(event, 'prompt'), textAt(event, 'tool_input', 'skill')];
    const name = valueAt(event, 'hook_event_name');
    if (name === PROMPT && prompt !== undefined)
      return { kind: 'prompt', ...place, prompt, transcript: textAt(event, 'transcript_path') };
    const isUse = name === 'PostToolUse' && valueAt(event, 'tool_response', 'success') !== false;
    if (!isUse || skill === undefined) return undefined;
    return { kind: 'use', ...place, id: textAt(event, 'tool_use_id'), skills: [skill.trim().replace(/^\//, '')] };
  },
  render: (hint) => renderSpecific(PROMPT, hint),
  spell: (name) => name,
  loading: 'Call the Skill tool with it before anything else.',
  afterwards: 'Start Claude Code again; `/hooks` there lists the hook.',
};
