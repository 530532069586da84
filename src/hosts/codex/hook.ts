import { quoteWord } from '../../model/shell-word.ts';
import { textAt, valueAt } from '../history/json-value.ts';
import { askServer, HOOK_TIMEOUT_S, renderSpecific, type HostHook } from '../hooks/host-hook.ts';
import { findImplicitUses } from './implicit-use.ts';

const FILE = 'hooks.json';
const PROMPT = 'UserPromptSubmit';

/** Seen in 0.166.0. A hook that asks for a field that its event lacks fails. */
export const codexHook: HostHook = {
  canAskServer: true,
  useMark: 'PostToolUse',
  pieces({ command, server, recordsUse }) {
    const process = { type: 'command', command: command.map(quoteWord).join(' '), timeout: HOOK_TIMEOUT_S };
    const fields = { prompt: '${prompt}', session: '${session_id}' };
    const asked = server === undefined ? process : askServer(server, fields);
    const used = { matcher: 'Bash', hooks: [process] };
    return [
      { kind: 'element', file: FILE, at: ['hooks', PROMPT], value: { hooks: [asked] } },
      ...(recordsUse ? [{ kind: 'element' as const, file: FILE, at: ['hooks', 'PostToolUse'], value: used }] : []),
    ];
  },
  readEvent(event) {
    const place = { session: textAt(event, 'session_id') ?? '', cwd: textAt(event, 'cwd') };
    const [prompt, command] = [textAt(event, 'prompt'), textAt(event, 'tool_input', 'command')];
    const name = valueAt(event, 'hook_event_name');
    if (name === PROMPT && prompt !== undefined)
      return { kind: 'prompt', ...place, prompt, transcript: textAt(event, 'transcript_path') };
    if (name !== 'PostToolUse' || command === undefined || findImplicitUses(command).length === 0) return undefined;
    return { kind: 'use', ...place, skills: [] };
  },
  render: (hint) => renderSpecific(PROMPT, hint),
  spell: (name) => `$${name}`,
  loading: 'Read its SKILL.md before anything else.',
  afterwards: 'Start Codex again, and approve the hook in `/hooks`: until then Codex skips it without a word.',
};
