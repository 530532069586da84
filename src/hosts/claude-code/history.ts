import { HINT_MARK } from '../hint-mark.ts';
import type { LineHistory } from '../history/host-history.ts';
import { itemsAt, numberAt, textAt, valueAt, type Json } from '../history/json-value.ts';
import type { Session } from '../history/session.ts';

/** Transcripts, one file per session and subagent. A resumed session repeats lines under their old ids. */
export const claudeHistory: LineHistory = {
  kind: 'lines',
  files: [
    ['projects', '*', '*.jsonl'],
    ['projects', '*', '*', 'subagents', '*.jsonl'],
  ],
  marks: [
    '"name":"Skill","input"',
    '"attributionSkill":"',
    '"content":"<command-message>',
    '"type":"skill_listing"',
    HINT_MARK,
  ],
  requestMarks: ['"role":"user","content":"', '"role":"user","content":[{"type":"text"'],
  read(line, session) {
    session.place({ session: textAt(line, 'sessionId'), cwd: textAt(line, 'cwd') });
    const type = textAt(line, 'type');
    if (type === 'assistant') readAnswer(line, session);
    else if (type === 'user') readUser(line, session);
    else if (type === 'attachment') readAttachment(line, session);
  },
};

function readAnswer(line: Json, session: Session): void {
  const at = session.time(textAt(line, 'timestamp'));
  for (const block of itemsAt(line, 'message', 'content')) {
    const [id, skill] = [textAt(block, 'id'), textAt(block, 'input', 'skill')];
    if (valueAt(block, 'name') === 'Skill' && id !== undefined && skill !== undefined)
      session.await({ id, skill: withoutSlash(skill), at });
  }
  const [skill, id] = [textAt(line, 'attributionSkill'), textAt(line, 'message', 'id')];
  if (skill !== undefined && id !== undefined) session.spend({ id, at, skill, tokens: countTokens(line) });
}

/** Tokens that are new with this answer. Reading the cache would count the whole conversation again each time. */
function countTokens(line: Json): number {
  const keys = ['input_tokens', 'cache_creation_input_tokens', 'output_tokens'];
  return keys.reduce((sum, key) => sum + numberAt(line, 'message', 'usage', key), 0);
}

function readUser(line: Json, session: Session): void {
  for (const block of itemsAt(line, 'message', 'content')) {
    const id = textAt(block, 'tool_use_id');
    if (id === undefined) continue;
    const isDenied = valueAt(block, 'is_error') === true || valueAt(line, 'toolUseResult', 'success') === false;
    session.settle(id, !isDenied);
  }
  const [content, id] = [textAt(line, 'message', 'content'), textAt(line, 'uuid')];
  const isOwn = valueAt(line, 'isMeta') !== true && valueAt(line, 'isCompactSummary') !== true;
  if (id === undefined || !isOwn) return;
  const texts = itemsAt(line, 'message', 'content').map((block) => textAt(block, 'text') ?? '');
  const request = content ?? texts.join('\n');
  const skill = findCommand(request);
  session.ask(skill === undefined ? request : (/<command-args>([^<]*)</.exec(request)?.[1] ?? ''));
  if (skill !== undefined) session.use({ id, skill, at: session.time(textAt(line, 'timestamp')), by: 'user' });
}

/** The skill or custom command that a user called: text that starts with its name alone is a built-in command. */
function findCommand(content: string): string | undefined {
  if (!content.startsWith('<command-message>') || content.includes('<skill-format>true</skill-format>'))
    return undefined;
  const name = /<command-name>([^<]*)<\/command-name>/.exec(content)?.[1];
  return name === undefined ? undefined : withoutSlash(name);
}

function withoutSlash(name: string): string {
  return name.trim().replace(/^\//, '');
}

function readAttachment(line: Json, session: Session): void {
  const [id, at] = [textAt(line, 'uuid'), session.time(textAt(line, 'timestamp'))];
  const type = textAt(line, 'attachment', 'type');
  if (id === undefined) return;
  if (type === 'hook_additional_context') {
    const text = itemsAt(line, 'attachment', 'content').filter((part) => typeof part === 'string');
    session.hint({ id, at, text: text.join('\n') });
  } else if (type === 'skill_listing') {
    const names = itemsAt(line, 'attachment', 'names').filter((name) => typeof name === 'string');
    const entries = new Set((textAt(line, 'attachment', 'content') ?? '').split('\n'));
    session.show({ id, at, names, cut: names.filter((name) => entries.has(`- ${name}`)) });
  }
}
