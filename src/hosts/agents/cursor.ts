import { basename, dirname, join, relative } from 'node:path';

import { quoteWord } from '../../model/shell-word.ts';
import { projectDirectories } from '../../platform/project.ts';
import type { LineHistory } from '../history/host-history.ts';
import { itemsAt, textAt, valueAt, type Json } from '../history/json-value.ts';
import type { Session } from '../history/session.ts';
import { HOOK_TIMEOUT_S, type HostHook } from '../hooks/host-hook.ts';
import { defineHost, sharedFolder, type HostPlace, type KnownHost } from '../host.ts';
import { quoteValues, splitAtFences, type Dialect } from '../seeing/dialect.ts';
import { dropSameFiles, loadFirst } from '../seeing/first-wins.ts';
import type {
  HostCatalog,
  HostRoot,
  HostSkill,
  ListedSkill,
  ShownDescription,
  Switches,
} from '../seeing/host-skill.ts';
import { readRoot, type Judge, type ReadingRules } from '../seeing/read-walked.ts';
import { fieldFlag, fieldText } from '../seeing/skill-text.ts';

/** Read in the source of SDK 1.0.32. */
const CONFIG_FOLDERS = ['.cursor', '.claude', '.codex', '.grok', '.agents'];

function cursorFolder({ home }: HostPlace): string {
  return join(home, '.cursor');
}

function cursorRoots(place: HostPlace): readonly HostRoot[] {
  const workspace = projectDirectories(place.cwd).at(-1) ?? place.cwd;
  const below = (dir: string, level: 'project' | 'user'): readonly HostRoot[] =>
    CONFIG_FOLDERS.map((name) => ({
      path: join(dir, name, 'skills'),
      level,
      use: name === '.cursor' ? 'private' : 'shared',
    }));
  return [
    ...below(workspace, 'project'),
    ...below(place.home, 'user'),
    { path: join(cursorFolder(place), 'skills-cursor'), level: 'bundled', use: 'host' },
  ];
}

/** One folder's name in several of the configuration folders of one place is one skill: the first. */
function discoverCursor(place: HostPlace): readonly HostSkill[] {
  const found = cursorRoots(place).flatMap((root) => readRoot(root, CURSOR_RULES));
  const keyOf = ({ root, file }: HostSkill): string => `${root.level}:${relative(root.path, dirname(file))}`;
  return loadFirst(dropSameFiles(found), keyOf);
}

const judge: Judge = ({ fields }, id) => {
  const description = fieldText(fields, 'description') ?? '';
  const name = fieldText(fields, 'name') ?? id;
  return description === ''
    ? { name, description, loss: { because: 'it has no description', next: { advice: 'Give it a description.' } } }
    : { name, description };
};

const DIALECT: Dialect = { split: splitAtFences, recover: quoteValues, duplicates: 'refused' };

const CURSOR_RULES: ReadingRules = {
  depth: 10,
  entersSkills: true,
  skips: new Set(['node_modules', '__pycache__', 'dist', 'build']),
  dialect: DIALECT,
  judge,
};

/** Read in the source of SDK 1.0.32. Its own switches lie in the app's state, so only the skill's own fields are read. */
function readCursorSwitches(_place: HostPlace): Switches {
  return {
    files: [],
    faults: [],
    stateOf({ fields }) {
      if (fieldFlag(fields, 'disable-model-invocation') === true)
        return {
          state: 'hidden',
          because: 'its own frontmatter says disable-model-invocation: true',
          next: { advice: 'Remove that line; until then only users start it, with a slash.' },
        };
      if (!fields.has('paths') && !fields.has('globs')) return undefined;
      return {
        state: 'hidden',
        because: 'its frontmatter names paths, so it waits for a matching file',
        next: { advice: 'Remove paths and globs to have it listed from the start.' },
      };
    },
  };
}

/** Read in the source of SDK 1.0.32. */
const MAX_DESCRIPTION_LENGTH = 1_536;

/** The program sends every description, cut; a server makes the list of them, by rules that are not known. */
function layOutCursor(skills: readonly ListedSkill[]): HostCatalog {
  return { entries: skills.map(({ skill }) => ({ skill, isListed: true, ...describeForCursor(skill) })) };
}

/** The description, up to a limit. */
function describeForCursor({ description }: Pick<HostSkill, 'description'>): ShownDescription {
  if (description.length <= MAX_DESCRIPTION_LENGTH) return { text: description };
  const because = `its description has ${description.length} characters, and only ${MAX_DESCRIPTION_LENGTH} are sent`;
  const cut = { because, next: { advice: 'Say what it is for in the first sentences.' } };
  return { text: description.slice(0, MAX_DESCRIPTION_LENGTH), cut };
}

/**
 * Transcripts without times, results and working directories. A skill counts once per session if its SKILL.md was read; the
 * time is that of the file, and the project is the name of the folder that Cursor keeps for it.
 */
const cursorHistory: LineHistory = {
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

const FILE = 'hooks.json';
const PROMPT = 'beforeSubmitPrompt';

/** Read in the source of SDK 1.0.32, which takes and passes on the context; its documentation does not name it. */
const cursorHook: HostHook = {
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
  afterwards: 'Restart Cursor. Its model may ignore suggestions.',
};

export const cursor: KnownHost = defineHost('cursor', {
  seenIn: 'SDK 1.0.32',
  roots: cursorRoots,
  reading: CURSOR_RULES,
  discover: discoverCursor,
  listing: { layOut: layOutCursor, describe: describeForCursor },
  switch: {
    read: readCursorSwitches,
    file: () => ({ because: "Skillplane cannot change Cursor's settings; turn the skill off in Cursor" }),
  },
  fields: ['alwaysApply', 'disable-model-invocation', 'disabled-environments', 'environments', 'globs', 'paths'],
  shownIn: sharedFolder,
  history: cursorHistory,
  hook: cursorHook,
});
