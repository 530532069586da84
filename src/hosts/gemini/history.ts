import { dirname, join } from 'node:path';

import { readOwnText } from '../../platform/files/files.ts';
import { HINT_MARK } from '../hint-mark.ts';
import type { LineHistory } from '../history/host-history.ts';
import { itemsAt, textAt, valueAt, type Json } from '../history/json-value.ts';
import type { Session } from '../history/session.ts';

/**
 * One file of records per session. A record is written again as it grows, and conversations can be rewound; a skill that was
 * loaded was used either way, so each call counts once, when it succeeded.
 */
export const geminiHistory: LineHistory = {
  kind: 'lines',
  files: [
    ['tmp', '*', 'chats', 'session-*.jsonl'],
    ['tmp', '*', 'chats', '*', '*.jsonl'],
  ],
  marks: ['"name":"activate_skill"', HINT_MARK],
  requestMarks: ['"type":"user"'],
  hasHead: true,
  open(path, session) {
    const [, folder] = /^(.*[\\/]tmp[\\/][^\\/]+)[\\/]chats[\\/]/.exec(path) ?? [];
    const root = readOwnText(join(folder ?? dirname(path), '.project_root'));
    session.place({ cwd: root.ok ? root.text?.trim() : undefined });
  },
  read(line, session) {
    session.place({ session: textAt(line, 'sessionId') });
    for (const record of [line, ...itemsAt(line, '$set', 'messages')]) readRecord(record, session);
  },
};

function readRecord(record: Json, session: Session): void {
  for (const call of itemsAt(record, 'toolCalls')) {
    const [id, skill] = [textAt(call, 'id'), textAt(call, 'args', 'name')];
    const isUse = valueAt(call, 'name') === 'activate_skill' && valueAt(call, 'status') === 'success';
    const at = session.time(textAt(call, 'timestamp') ?? textAt(record, 'timestamp'));
    // A slash command runs the same tool, so the user's choices look like the model's.
    if (isUse && id !== undefined && skill !== undefined) session.use({ id, skill, at, by: 'model' });
  }
  const id = textAt(record, 'id');
  if (valueAt(record, 'type') !== 'user' || id === undefined) return;
  const texts = itemsAt(record, 'content').map((part) => textAt(part, 'text') ?? '');
  session.ask(texts.join('\n'));
  const hint = texts.find((text) => text.startsWith('<hook_context>'));
  if (hint !== undefined) session.hint({ id, at: session.time(textAt(record, 'timestamp')), text: hint });
}
