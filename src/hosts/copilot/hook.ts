import { quoteWord } from '../../model/shell-word.ts';
import { textAt, valueAt } from '../history/json-value.ts';
import { HOOK_TIMEOUT_S, type HostHook } from '../hooks/host-hook.ts';

/** Seen in 1.0.102, which reads every JSON file of this folder. Its events do not say which one they are. */
export const copilotHook: HostHook = {
  canAskServer: false,
  useMark: '"postToolUse"',
  pieces({ command, recordsUse }) {
    const line = command.map(quoteWord).join(' ');
    const hook = { type: 'command', bash: line, powershell: line, timeoutSec: HOOK_TIMEOUT_S };
    const hooks = { userPromptSubmitted: [hook], ...(recordsUse ? { postToolUse: [hook] } : {}) };
    const text = `${JSON.stringify({ version: 1, hooks }, undefined, 2)}\n`;
    return [{ kind: 'file', file: 'hooks/skillplane.json', text }];
  },
  readEvent(event) {
    const [session, cwd] = [textAt(event, 'sessionId') ?? '', textAt(event, 'cwd')];
    if (valueAt(event, 'toolName') === 'skill') return { kind: 'use', session, cwd, skills: [] };
    const prompt = textAt(event, 'prompt');
    if (prompt === undefined) return undefined;
    const isId = /^[\w-]{1,100}$/.test(session);
    const transcript = isId ? `session-state/${session}/events.jsonl` : undefined;
    return { kind: 'prompt', session, cwd, prompt, transcript };
  },
  render: (hint) => JSON.stringify({ additionalContext: hint }),
  spell: (name) => name,
  loading: 'Call the skill tool with it before anything else.',
  afterwards: 'Start Copilot again.',
};
