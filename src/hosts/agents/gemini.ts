import { dirname, join } from 'node:path';

import { quoteWord } from '../../model/shell-word.ts';
import type { FrontmatterMap } from '../../model/skill.ts';
import { isFile, isInside, listDirectory, readOwnText, realPath } from '../../platform/files/files.ts';
import { agentFolder } from '../../sources/agent-folders.ts';
import { HINT_MARK } from '../hint-mark.ts';
import type { LineHistory } from '../history/host-history.ts';
import { itemsAt, textAt, valueAt, type Json } from '../history/json-value.ts';
import type { Session } from '../history/session.ts';
import { HOOK_TIMEOUT_S, renderSpecific, type HostHook } from '../hooks/host-hook.ts';
import { defineHost, sharedFolder, type HostPlace, type KnownHost } from '../host.ts';
import { readHostFields, type Dialect } from '../seeing/dialect.ts';
import type { HostRoot, HostSkill, Reason, Switches } from '../seeing/host-skill.ts';
import { readRoot, type Judge, type ReadingRules } from '../seeing/read-walked.ts';
import { faultsOf, objectOf, readJsonSettings, textsOf } from '../seeing/settings-file.ts';
import { findQuoted, isTyped, rawText } from '../seeing/skill-text.ts';

/** The folder with the user's settings, skills and history. */
function geminiFolder(place: HostPlace): string {
  return agentFolder('gemini', place);
}

/** Where it looks for everything of the user. Seen in 0.61.0. */
function geminiHome(place: HostPlace): string {
  return dirname(geminiFolder(place));
}

/** Is the working directory a folder whose skills are read? Seen in 0.61.0. */
export function isTrustedFolder(place: HostPlace): boolean {
  const { cwd, variables } = place;
  if (variables['GEMINI_RESTRICTED_MODE'] === 'true' || variables['GEMINI_CLI_TRUST_WORKSPACE'] === 'false')
    return false;
  if (variables['GEMINI_CLI_TRUST_WORKSPACE'] === 'true') return true;
  const { security } = readJsonSettings(join(geminiFolder(place), 'settings.json')).values;
  if (objectOf(objectOf(security)['folderTrust'])['enabled'] === false) return true;
  const rules = readJsonSettings(
    variables['GEMINI_CLI_TRUSTED_FOLDERS_PATH'] || join(geminiFolder(place), 'trustedFolders.json'),
  );
  const here = realPath(cwd) ?? cwd;
  const matching = Object.entries(rules.values)
    .map(([path, level]) => ({ path: level === 'TRUST_PARENT' ? dirname(path) : path, level }))
    .map(({ path, level }) => ({ path: realPath(path) ?? path, level }))
    .filter(({ path }) => isInside(here, path))
    .sort((a, b) => b.path.length - a.path.length);
  return matching[0] !== undefined && matching[0].level !== 'DO_NOT_TRUST';
}

const MANIFEST = 'gemini-extension.json';

/** The folders of the extensions that are on in this directory. Seen in 0.61.0. */
function activeExtensions(place: HostPlace): readonly string[] {
  const folder = join(geminiFolder(place), 'extensions');
  const listing = listDirectory(folder);
  if (listing.state !== 'listed') return [];
  const switches = readJsonSettings(join(folder, 'extension-enablement.json')).values;
  return listing.entries
    .map(({ name }) => join(folder, name))
    .filter((dir) => isFile(join(dir, MANIFEST)))
    .filter((dir) => {
      const { name } = readJsonSettings(join(dir, MANIFEST)).values;
      return isOn(typeof name === 'string' ? textsOf(objectOf(switches[name])['overrides']) : [], place.cwd);
    });
}

/** Paths, `!` for disabled ones; the last match applies, and a star matches everything below. */
function isOn(rules: readonly string[], cwd: string): boolean {
  const rule = rules.findLast((each) => fits(each.replace(/^!/, ''), cwd));
  return rule === undefined || !rule.startsWith('!');
}

function fits(pattern: string, cwd: string): boolean {
  const path = pattern.replace(/\*$/, '');
  return `${cwd}/`.startsWith(path) && (path !== pattern || `${cwd}/` === path);
}

/** Later ones win. Seen in 0.61.0. */
function geminiRoots(place: HostPlace): readonly HostRoot[] {
  return [
    ...activeExtensions(place).map((dir): HostRoot => ({ path: join(dir, 'skills'), level: 'plugin', use: 'host' })),
    { path: join(geminiFolder(place), 'skills'), level: 'user', use: 'private' },
    { path: join(geminiHome(place), '.agents', 'skills'), level: 'user', use: 'shared' },
    { path: join(place.cwd, '.gemini', 'skills'), level: 'project', use: 'private' },
    { path: join(place.cwd, '.agents', 'skills'), level: 'project', use: 'shared' },
  ];
}

function discoverGemini(place: HostPlace): readonly HostSkill[] {
  const isTrusted = isTrustedFolder(place);
  const found = geminiRoots(place).flatMap((root) =>
    readRoot(root, GEMINI_RULES).map((skill) =>
      root.level === 'project' && !isTrusted ? { ...skill, loss: skill.loss ?? UNTRUSTED } : skill,
    ),
  );
  return takeLast(found);
}

const UNTRUSTED: Reason = {
  because: 'the folder of the project is not trusted',
  next: { advice: 'Start Gemini in the folder and trust it, or set GEMINI_CLI_TRUST_WORKSPACE=true.' },
};

/** The last folder of a name wins. Within one folder the order is that of the file system, so it is not known. */
function takeLast(found: readonly HostSkill[]): readonly HostSkill[] {
  const loaded = found.filter(({ loss }) => loss === undefined);
  const byName = Map.groupBy(loaded, ({ name }) => name);
  return found.flatMap((skill) => {
    const same = byName.get(skill.name) ?? [];
    const last = same.at(-1);
    if (skill.loss !== undefined || last === undefined || same.length === 1) return [skill];
    const candidates = same.filter(({ root }) => root === last.root);
    if (skill.root !== last.root) return [{ ...skill, loss: hiddenBy(last) }];
    if (skill !== candidates[0]) return [];
    const rivals = candidates.slice(1).map(({ file }) => file);
    return [rivals.length === 0 ? skill : { ...skill, rivals }];
  });
}

function hiddenBy({ file }: HostSkill): Reason {
  return {
    because: `${file} has the same name and comes later`,
    next: { advice: 'Rename one of the two, or remove one.' },
  };
}

const judge: Judge = ({ fields, hasFrontmatter }, id) => {
  const name = rawText(fields, 'name')?.replaceAll(/[:\\/<>*?"|]/g, '-');
  const description = rawText(fields, 'description');
  if (name !== undefined && description !== undefined) return { name, description };
  const missing = name === undefined ? 'name' : 'description';
  const loss = hasFrontmatter
    ? { because: `it has no ${missing}`, next: { advice: `Give it a ${missing}.` } }
    : {
        because: 'it does not begin with frontmatter',
        next: { advice: 'Begin the file with ---, without anything before it.' },
      };
  return { name: name ?? id, description: description ?? '', loss };
};

const PLAIN: Dialect = { split: () => undefined, refusesTags: true, duplicates: 'refused' };

/** Unless YAML gives a text for both fields, the lines are read one by one. */
function readGeminiFields(yaml: string): FrontmatterMap {
  const read = readHostFields(yaml, PLAIN);
  if (!read.ok) return readLines(yaml);
  const { fields } = read;
  const quoted = findQuoted(yaml);
  const isText = (key: string): boolean => rawText(fields, key) !== undefined && !isTyped({ fields, quoted }, key);
  return ['name', 'description'].every(isText) ? fields : readLines(yaml);
}

function readLines(yaml: string): FrontmatterMap {
  const fields = new Map<string, string>();
  let isDescription = false;
  for (const line of yaml.split('\n')) {
    const [, key, value = ''] = /^\s*(name|description):\s*(.*)$/.exec(line) ?? [];
    if (isDescription && /^[ \t]+\S/.test(line))
      fields.set('description', [fields.get('description') ?? '', line.trim()].filter(Boolean).join(' '));
    else if (key === undefined) isDescription = false;
    else {
      fields.set(key, value.trim());
      isDescription = key === 'description';
    }
  }
  return fields;
}

const DIALECT: Dialect = {
  split(text) {
    const match = /^---\r?\n([^]*?)\r?\n---(?:\r?\n([^]*))?/.exec(text);
    return match === null ? undefined : { yaml: `${match[1] ?? ''}\n`, body: match[2] ?? '' };
  },
  read: readGeminiFields,
  duplicates: 'refused',
};

const GEMINI_RULES: ReadingRules = {
  depth: 1,
  takesRoot: true,
  entersSkills: true,
  skips: new Set(['node_modules']),
  dialect: DIALECT,
  judge,
};

/** Seen in 0.61.0: the lists of the user and of a trusted workspace are united, and letters' case does not count. */
function readGeminiSwitches(place: HostPlace): Switches {
  const user = readJsonSettings(join(geminiFolder(place), 'settings.json'));
  const workspace = readJsonSettings(join(place.cwd, '.gemini', 'settings.json'));
  const counting = isTrustedFolder(place) ? [workspace, user] : [user];
  return {
    files: [user.path, workspace.path],
    faults: faultsOf([user, workspace]),
    stateOf({ name }) {
      for (const { path, values } of counting) {
        const { enabled, disabled } = objectOf(values['skills']);
        const isOff = enabled === false;
        if (!isOff && !textsOf(disabled).some((each) => each.toLowerCase() === name.toLowerCase())) continue;
        return {
          state: 'hidden',
          file: path,
          because: isOff ? `skills.enabled is false in ${path}` : `turned off in ${path} (skills.disabled)`,
          next: { advice: isOff ? 'Remove that line.' : 'Remove it from that list.' },
        };
      }
      return undefined;
    },
  };
}

/**
 * One file of records per session. A record is written again as it grows, and conversations can be rewound; a skill that was
 * loaded was used either way, so each call counts once, when it succeeded.
 */
const geminiHistory: LineHistory = {
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
    // A slash command uses the same tool, so the user's choices look like the model's.
    if (isUse && id !== undefined && skill !== undefined) session.use({ id, skill, at, by: 'model' });
  }
  const id = textAt(record, 'id');
  if (valueAt(record, 'type') !== 'user' || id === undefined) return;
  const texts = itemsAt(record, 'content').map((part) => textAt(part, 'text') ?? '');
  session.ask(texts.join('\n'));
  const hint = texts.find((text) => text.startsWith('<hook_context>'));
  if (hint !== undefined) session.hint({ id, at: session.time(textAt(record, 'timestamp')), text: hint });
}

const FILE = 'settings.json';
const PROMPT = 'BeforeAgent';

/** Seen in 0.61.0. Limits are in milliseconds here. */
const geminiHook: HostHook = {
  canAskServer: false,
  useMark: 'AfterTool',
  pieces({ command, recordsUse }) {
    const line = command.map(quoteWord).join(' ');
    const hook = { name: 'skillplane', type: 'command', command: line, timeout: 1_000 * HOOK_TIMEOUT_S };
    const used = { matcher: 'activate_skill', hooks: [hook] };
    return [
      { kind: 'element', file: FILE, at: ['hooks', PROMPT], value: { hooks: [hook] } },
      ...(recordsUse ? [{ kind: 'element' as const, file: FILE, at: ['hooks', 'AfterTool'], value: used }] : []),
    ];
  },
  readEvent(event) {
    const [session, cwd] = [textAt(event, 'session_id') ?? '', textAt(event, 'cwd')];
    const [name, prompt] = [valueAt(event, 'hook_event_name'), textAt(event, 'prompt')];
    if (name === PROMPT && prompt !== undefined)
      return { kind: 'prompt', session, cwd, prompt, transcript: textAt(event, 'transcript_path') };
    const isUse = name === 'AfterTool' && valueAt(event, 'tool_name') === 'activate_skill';
    return isUse ? { kind: 'use', session, cwd, skills: [] } : undefined;
  },
  render: (hint) => renderSpecific(PROMPT, hint),
  spell: (name) => name,
  loading: 'Call activate_skill with it before anything else.',
  // docs/tools/mcp-server.md of Gemini CLI.
  loadTool: 'mcp_skillplane_load_skill',
  afterwards: 'Restart Gemini.',
};

export const gemini: KnownHost = defineHost('gemini', {
  seenIn: '0.61.0',
  builtIn: ['antigravity-support', 'skill-creator'],
  roots: geminiRoots,
  reading: GEMINI_RULES,
  discover: discoverGemini,
  switch: {
    read: readGeminiSwitches,
    // The list of a project counts only in a folder that is trusted.
    file: (place, scope) => ({
      path: join(scope === 'user' ? geminiFolder(place) : join(place.cwd, '.gemini'), 'settings.json'),
      entryFor: ({ name }) => ({ kind: 'item', at: ['skills', 'disabled'], value: name }),
    }),
  },
  shownIn: (place, scope) => sharedFolder({ ...place, home: geminiHome(place) }, scope),
  history: geminiHistory,
  hook: geminiHook,
});
