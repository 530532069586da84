import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** A home with transcripts of Claude Code and Codex: the text of their conversations is `texts`, repeated. */
export interface TranscriptPlan {
  readonly files: number;
  readonly bytes: number;
  readonly texts: readonly string[];
}

/** Writes transcripts into the folders of both programs. Deterministic; each file is a session of its own. */
export function writeTranscripts(home: string, { files, bytes, texts }: TranscriptPlan): void {
  const folders = { claude: join(home, '.claude/projects'), codex: join(home, '.codex/sessions/2026/01') };
  for (let at = 0; at < files; at += 1) {
    const isClaude = at % 2 === 0;
    const folder = isClaude ? join(folders.claude, `-app-${at % 40}`) : join(folders.codex, String((at % 28) + 1));
    mkdirSync(folder, { recursive: true });
    const session = `${String(at).padStart(8, '0')}-0000-4000-8000-000000000000`;
    const name = isClaude ? `${session}.jsonl` : `rollout-2026-01-05T10-00-00-${session}.jsonl`;
    const lines = isClaude ? claudeLines(session, texts) : codexLines(session, texts);
    writeFileSync(join(folder, name), takeBytes(lines, bytes / files));
  }
}

function takeBytes(lines: Iterable<object>, wanted: number): string {
  const taken: string[] = [];
  let length = 0;
  for (const line of lines) {
    const text = `${JSON.stringify(line)}\n`;
    taken.push(text);
    length += Buffer.byteLength(text);
    if (length >= wanted) break;
  }
  return taken.join('');
}

/** One turn in so many loads a skill. */
const SKILL_EVERY = 50;
const NAMES = Array.from({ length: 40 }, (_, at) => `skill-${at}`);

function* claudeLines(session: string, texts: readonly string[]): Generator<object> {
  const listing = NAMES.map((name) => `- ${name}: Does what ${name} does, and some more of it.`).join('\n');
  let at = 0;
  const line = (type: string, rest: object): object => {
    at += 1;
    const uuid = `${session.slice(0, 8)}-${String(at).padStart(12, '0')}`;
    const timestamp = new Date(Date.UTC(2026, 0, 5) + at * 1_000).toISOString();
    return { parentUuid: null, isSidechain: false, type, ...rest, uuid, timestamp, cwd: '/app', sessionId: session };
  };
  const attachment = { type: 'skill_listing', content: listing, names: NAMES, skillCount: NAMES.length };
  yield line('attachment', { attachment });
  for (let turn = Number.parseInt(session, 10); ; turn += 1) {
    const text = texts[turn % texts.length] ?? '';
    const id = `toolu_${session.slice(0, 8)}${String(turn).padStart(16, '0')}`;
    const isSkill = turn % SKILL_EVERY === 0;
    const skill = NAMES[turn % NAMES.length] ?? '';
    const call = isSkill
      ? { type: 'tool_use', id, name: 'Skill', input: { skill } }
      : { type: 'tool_use', id, name: 'Read', input: { file_path: `/app/src/file-${turn}.ts` } };
    const usage = { input_tokens: 4, cache_creation_input_tokens: 900, output_tokens: 120 };
    const answer = (content: object): object => ({ id: `msg_${id}`, role: 'assistant', content: [content], usage });
    yield line('user', { message: { role: 'user', content: text.slice(0, 300) } });
    yield line('assistant', { message: answer({ type: 'text', text: text.slice(0, 900) }) });
    yield line('assistant', { message: answer(call), ...(turn % 20 === 0 ? { attributionSkill: skill } : {}) });
    const result = { type: 'tool_result', tool_use_id: id, content: text };
    yield line('user', {
      message: { role: 'user', content: [result] },
      toolUseResult: isSkill ? { success: true, commandName: skill } : { type: 'text', file: { content: text } },
    });
  }
}

function* codexLines(session: string, texts: readonly string[]): Generator<object> {
  let at = 0;
  const line = (type: string, payload: object): object => {
    at += 1;
    return { timestamp: new Date(Date.UTC(2026, 0, 5) + at * 1_000).toISOString(), type, payload };
  };
  const message = (role: string, text: string): object =>
    line('response_item', { type: 'message', role, content: [{ type: 'input_text', text }] });
  yield line('session_meta', { id: session, cwd: '/app', cli_version: '0.166.0' });
  const listing = NAMES.map((name) => `- ${name}: Does what ${name} does. (file: r0/${name}/SKILL.md)`).join('\n');
  yield message('developer', `<skills_instructions>\n- \`r0\` = \`/home/ann/.agents/skills\`\n${listing}`);
  for (let turn = Number.parseInt(session, 10); ; turn += 1) {
    const text = texts[turn % texts.length] ?? '';
    const call_id = `call_${session.slice(0, 8)}${turn}`;
    const skill = NAMES[turn % NAMES.length] ?? '';
    const cmd =
      turn % SKILL_EVERY === 0 ? `cat /home/ann/.agents/skills/${skill}/SKILL.md` : `sed -n 1,200p src/file-${turn}.ts`;
    yield message('user', text.slice(0, 300));
    yield line('response_item', { type: 'reasoning', summary: [], encrypted_content: text.slice(0, 1_500) });
    yield line('response_item', {
      type: 'function_call',
      name: 'exec_command',
      arguments: JSON.stringify({ cmd, workdir: '/app' }),
      call_id,
    });
    yield line('response_item', { type: 'function_call_output', call_id, output: text });
    yield line('event_msg', { type: 'token_count', info: { total_token_usage: { input_tokens: 9_000 } } });
  }
}
