import { join } from 'node:path';

import { splitGlobs } from '../../parse/fields.ts';
import { HINT_MARK } from '../hint-mark.ts';
import type { LineHistory } from '../history/host-history.ts';
import { itemsAt, numberAt, textAt, valueAt, type Json } from '../history/json-value.ts';
import type { Session } from '../history/session.ts';
import { askServer, HOOK_TIMEOUT_S, renderSpecific, type HostHook } from '../hooks/host-hook.ts';
import { defineHost, type HostPlace, type KnownHost } from '../host.ts';
import { quoteValues, type Dialect } from '../seeing/dialect.ts';
import { dropSameFiles, loadFirst } from '../seeing/first-wins.ts';
import type { HostRoot, HostSkill, Switches, SwitchState } from '../seeing/host-skill.ts';
import { projectRoots } from '../seeing/project-roots.ts';
import { readRoot, type Judge, type ReadingRules } from '../seeing/read-walked.ts';
import { faultsOf, objectOf, type SettingsFile } from '../seeing/settings-file.ts';
import { fieldText } from '../seeing/skill-text.ts';
import { upwardFrom } from '../seeing/upward.ts';
import { CLAUDE_BUILT_IN, describeForClaude, layOutClaude } from './claude-code-listing.ts';
import { claudeFolder, pluginRoots, readClaudeSettings, type PluginRoot } from './claude-code-settings.ts';

/** Seen in 2.1.325. */
const MAX_FILE_BYTES = 1_000_000;
const MAX_TITLE_LENGTH = 256;
const MAX_FALLBACK_LENGTH = 100;
const ADMIN_FOLDERS = ['/etc/claude-code', '/Library/Application Support/ClaudeCode'];

/** The program sorts by the user's language; this is the order of most. */
const COLLATOR = new Intl.Collator('en');

/** Managed, user, then the project from the working directory upwards: the first of a name wins. */
function claudeRoots(place: HostPlace): readonly HostRoot[] {
  return [
    ...ADMIN_FOLDERS.map((dir): HostRoot => ({ path: join(dir, '.claude', 'skills'), level: 'admin', use: 'host' })),
    { path: join(claudeFolder(place), 'skills'), level: 'user', use: 'shared' },
    ...projectRoots(upwardFrom(place.cwd, place.home), '.claude/skills', 'shared'),
  ];
}

function discoverClaude(place: HostPlace): readonly HostSkill[] {
  const found = [...claudeRoots(place).flatMap(readSorted), ...pluginRoots(place).flatMap(readPlugin)];
  return loadFirst(dropSameFiles(found));
}

function readSorted(root: HostRoot): readonly HostSkill[] {
  return [...readRoot(root, CLAUDE_RULES)].sort((a, b) => COLLATOR.compare(a.name, b.name));
}

function readPlugin({ plugin, only, ...root }: PluginRoot): readonly HostSkill[] {
  return readSorted(root)
    .filter(({ name }) => only === undefined || name === only)
    .map((skill) => ({
      ...skill,
      name: `${plugin}:${skill.name}`,
      title: skill.title === undefined ? undefined : `${plugin}:${skill.title}`,
    }));
}

/** The folder's name is the skill's name, whatever the file says. */
const judge: Judge = ({ fields, body, bytes }, id) => {
  const title = fieldText(fields, 'name');
  const tooLarge = {
    because: `its file is larger than ${MAX_FILE_BYTES} bytes`,
    next: { advice: 'Move parts of it into files beside it.' },
  };
  const hasTitle = title !== undefined && title !== id && title.length <= MAX_TITLE_LENGTH && TITLE.test(title);
  return {
    name: id,
    title: hasTitle ? title : undefined,
    description: harmless(fieldText(fields, 'description') ?? firstLine(body)),
    loss: bytes > MAX_FILE_BYTES ? tooLarge : undefined,
  };
};

const TITLE = /^[\p{L}\p{M}\p{N}_:.-]+$/u;

/** Stands in for a missing description. */
function firstLine(body: string): string {
  const line =
    body
      .split('\n')
      .find((each) => each.trim() !== '')
      ?.trim() ?? 'Skill';
  const text = /^#+\s+(\S.*)$/.exec(line)?.[1] ?? line;
  return text.length > MAX_FALLBACK_LENGTH ? `${text.slice(0, MAX_FALLBACK_LENGTH - 3)}...` : text;
}

/** As the list has it: on one line, and without tags. */
function harmless(text: string): string {
  return text
    .replaceAll(/\p{Cc}/gu, ' ')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;');
}

const DIALECT: Dialect = {
  split(text) {
    const unmarked = text.startsWith('\uFEFF') ? text.slice(1) : text;
    const match = unmarked.includes('---', 3) ? /^---\s*\n([^]*?)---\s*\n?/.exec(unmarked) : null;
    return match === null ? undefined : { yaml: match[1] ?? '', body: unmarked.slice(match[0].length) };
  },
  recover: (yaml) => quoteValues(yaml.replaceAll(/^\t+/gm, (tabs) => '  '.repeat(tabs.length))),
  duplicates: 'last',
};

const CLAUDE_RULES: ReadingRules = {
  depth: 1,
  entersHidden: true,
  skips: new Set(['synced']),
  dialect: DIALECT,
  judge,
};

/** Values of `skillOverrides`, seen in 2.1.325. */
const STATES: Readonly<Record<string, SwitchState['state'] | undefined>> = {
  'name-only': 'named',
  'user-invocable-only': 'hidden',
  off: 'hidden',
};

/** `skillOverrides` has no effect on the skills of plugins. `permissions.deny` hides nothing: it only refuses the call. */
function readClaudeSwitches(place: HostPlace): Switches {
  const files = readClaudeSettings(place);
  return {
    files: files.map(({ path }) => path),
    faults: faultsOf(files),
    stateOf: (skill) => findOverride(skill, files) ?? findOwnSwitch(skill),
  };
}

function findOverride({ name, root }: HostSkill, files: readonly SettingsFile[]): SwitchState | undefined {
  if (root.level === 'plugin') return undefined;
  for (const { path, values } of files) {
    const value = objectOf(values['skillOverrides'])[name];
    if (typeof value !== 'string') continue;
    const state = STATES[value];
    if (state === undefined) return undefined;
    return {
      state,
      file: path,
      because: value === 'off' ? `turned off in ${path} (skillOverrides)` : `skillOverrides in ${path} says "${value}"`,
      next: { advice: `Set skillOverrides["${name}"] to "on" there, or remove the entry.` },
    };
  }
  return undefined;
}

/** Any of these switches it off. */
const TRUE: ReadonlySet<string> = new Set(['true', 'yes', 'on', '1']);

function findOwnSwitch({ fields }: HostSkill): SwitchState | undefined {
  if (TRUE.has(fieldText(fields, 'disable-model-invocation')?.toLowerCase() ?? ''))
    return {
      state: 'hidden',
      because: 'its own frontmatter says disable-model-invocation: true',
      next: { advice: 'Remove that line; until then only users start it, with a slash.' },
    };
  const paths = fields.get('paths') ?? [];
  const globs = (typeof paths === 'string' ? splitGlobs(paths) : Array.isArray(paths) ? paths : []).filter(
    (glob) => glob !== '' && glob !== '**' && glob !== '/**',
  );
  if (globs.length === 0) return undefined;
  return {
    state: 'hidden',
    because: 'its frontmatter names paths, so it waits until a matching file is touched',
    next: { advice: 'Remove paths to have it listed from the start.' },
  };
}

/** Transcripts, one file per session and subagent. A resumed session repeats lines under their old ids. */
const claudeHistory: LineHistory = {
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

const FILE = 'settings.json';
const PROMPT = 'UserPromptSubmit';

/** Seen in 2.1.325. */
const claudeHook: HostHook = {
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
  loadTool: 'mcp__skillplane__load_skill',
  afterwards: 'Restart Claude Code; `/hooks` there lists the hook.',
};

export const claudeCode: KnownHost = defineHost('claude-code', {
  seenIn: '2.1.325',
  naming: 'directory',
  builtIn: CLAUDE_BUILT_IN,
  roots: claudeRoots,
  reading: CLAUDE_RULES,
  discover: discoverClaude,
  listing: { layOut: layOutClaude, describe: (skill) => describeForClaude(skill) },
  switch: {
    read: readClaudeSwitches,
    // The key of `skillOverrides` is the name of the skill's folder. It has no effect on skills of plugins.
    file: (place, scope) => ({
      path: join(scope === 'user' ? claudeFolder(place) : join(place.cwd, '.claude'), 'settings.json'),
      entryFor: ({ name }) => ({ kind: 'key', at: ['skillOverrides', name], value: 'off' }),
    }),
  },
  fields: [
    'agent',
    'allowed-tools',
    'argument-hint',
    'arguments',
    'background',
    'context',
    'disable-model-invocation',
    'disallowed-tools',
    'effort',
    'hooks',
    'model',
    'paths',
    'shell',
    'user-invocable',
    'when_to_use',
  ],
  shownIn: (place, scope) => join(scope === 'user' ? claudeFolder(place) : join(place.cwd, '.claude'), 'skills'),
  reserved: ['synced', '.trash', '.staging'],
  ownSources: ['claude-plugins'],
  history: claudeHistory,
  hook: claudeHook,
});
