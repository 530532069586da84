import { HINT_MARK } from '../hint-mark.ts';
import type { LineHistory } from '../history/host-history.ts';
import { textAt, type Json } from '../history/json-value.ts';
import type { Session } from '../history/session.ts';

/** One file of events per session. */
export const copilotHistory: LineHistory = {
  kind: 'lines',
  files: [
    ['session-state', '*', 'events.jsonl'],
    ['session-state', '*.jsonl'],
  ],
  marks: ['"type":"session.start"', '"type":"skill.invoked', '<available_skills>', HINT_MARK],
  requestMarks: ['"type":"user.message"'],
  read(line, session) {
    const type = textAt(line, 'type');
    if (type === 'session.start')
      session.place({ session: textAt(line, 'data', 'sessionId'), cwd: textAt(line, 'data', 'context', 'cwd') });
    const id = textAt(line, 'id');
    if (id === undefined) return;
    const event = { id, at: session.time(textAt(line, 'timestamp')) };
    if (type === 'user.message') session.ask(textAt(line, 'data', 'content') ?? '');
    // A skill that is loaded again in a session is referred to.
    else if (type === 'skill.invoked' || type === 'skill.invoked_ref') readUse(line, event, session);
    else if (type === 'system.message') session.show({ ...event, names: namesIn(textAt(line, 'data', 'content')) });
    else if (type === 'hook.end')
      session.hint({ ...event, text: textAt(line, 'data', 'output', 'additionalContext') ?? '' });
  },
};

function readUse(line: Json, event: { readonly id: string; readonly at: number }, session: Session): void {
  const [skill, trigger] = [textAt(line, 'data', 'name'), textAt(line, 'data', 'trigger')];
  // Skills that are loaded with the session were not chosen.
  if (skill === undefined || trigger === 'context-load') return;
  session.use({ ...event, skill, by: trigger === 'user-invoked' ? 'user' : 'model' });
}

function namesIn(prompt = ''): readonly string[] {
  const start = prompt.indexOf('<available_skills>');
  const end = prompt.indexOf('</available_skills>', start);
  const list = start === -1 || end === -1 ? '' : prompt.slice(start, end);
  return [...list.matchAll(/<name>([^<]*)<\/name>/g)].map(([, name = '']) => name.trim());
}
