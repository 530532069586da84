import { basename, dirname } from 'node:path';

import type { LineHistory } from '../history/host-history.ts';
import { itemsAt, textAt, valueAt, type Json } from '../history/json-value.ts';
import type { Session } from '../history/session.ts';

/**
 * Transcripts without times, results and working directories. A skill counts once per session if its SKILL.md was read; the
 * time is that of the file, and the project is the name of the folder that Cursor keeps for it.
 */
export const cursorHistory: LineHistory = {
  kind: 'lines',
  files: [
    ['projects', '*', 'agent-transcripts', '*.jsonl'],
    ['projects', '*', 'agent-transcripts', '*', '*.jsonl'],
    ['projects', '*', 'agent-transcripts', '*', 'subagents', '*.jsonl'],
  ],
  marks: ['/SKILL.md"', '\\SKILL.md"'],
  requestMarks: ['{"role":"user"'],
  open(path, session) {
    const [, project] = /[\\/]projects[\\/]([^\\/]+)[\\/]agent-transcripts[\\/]/.exec(path) ?? [];
    session.place({ session: basename(path, '.jsonl'), cwd: project });
  },
  read(line, session) {
    if (valueAt(line, 'role') === 'user') readRequest(line, session);
    if (valueAt(line, 'role') !== 'assistant') return;
    for (const block of itemsAt(line, 'message', 'content')) {
      const path = textAt(block, 'input', 'path') ?? textAt(block, 'input', 'target_file');
      if (valueAt(block, 'type') !== 'tool_use' || valueAt(block, 'name') !== 'Read' || path === undefined) continue;
      const file = path.replaceAll('\\', '/');
      if (basename(file) !== 'SKILL.md') continue;
      const skill = basename(dirname(file));
      session.use({ id: `${session.name} ${skill}`, skill, at: session.time(undefined), by: 'model' });
    }
  },
};

function readRequest(line: Json, session: Session): void {
  const text = itemsAt(line, 'message', 'content')
    .map((block) => textAt(block, 'text') ?? '')
    .join('\n');
  session.ask(/<user_query>([^]*?)<\/user_query>/.exec(text)?.[1] ?? text);
}
