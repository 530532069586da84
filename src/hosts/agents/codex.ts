import { dirname, join, relative } from 'node:path';

import type { NextStep } from '../../model/next-step.ts';
import { compareText } from '../../model/order.ts';
import { quoteWord } from '../../model/shell-word.ts';
import { countCodePoints } from '../../parse/code-points.ts';
import { isMap } from '../../parse/yaml/examine-yaml.ts';
import { readYaml } from '../../parse/yaml/read-yaml.ts';
import { realPath } from '../../platform/files/files.ts';
import { readInside } from '../../platform/files/inside.ts';
import { projectDirectories } from '../../platform/project.ts';
import { agentFolder } from '../../sources/agent-folders.ts';
import { textAt, valueAt } from '../history/json-value.ts';
import { askServer, HOOK_TIMEOUT_S, renderSpecific, type HostHook } from '../hooks/host-hook.ts';
import { defineHost, sharedFolder, type HostPlace, type KnownHost, type OwnFile } from '../host.ts';
import { quoteValues, splitAtFences, type Dialect } from '../seeing/dialect.ts';
import { dropSameFiles } from '../seeing/first-wins.ts';
import type {
  CatalogRequest,
  CatalogRoom,
  HostCatalog,
  HostCatalogEntry,
  HostRoot,
  HostSkill,
  ListedSkill,
  Reason,
  ShownDescription,
  Switches,
  SwitchState,
} from '../seeing/host-skill.ts';
import { projectRoots } from '../seeing/project-roots.ts';
import { readRoot, type Judge, type ReadingRules } from '../seeing/read-walked.ts';
import {
  faultsOf,
  objectOf,
  readTomlSettings,
  type SettingsFile,
  type SettingsObject,
} from '../seeing/settings-file.ts';
import { fieldText } from '../seeing/skill-text.ts';
import { codexHistory, findImplicitUses } from './codex-history.ts';

/** Seen in 0.166.0. */
const MAX_NAME_LENGTH = 64;
const ADMIN_FOLDER = '/etc/codex/skills';
const LIST_ORDER: readonly HostRoot['level'][] = ['bundled', 'admin', 'project', 'user', 'plugin'];

function codexFolder(place: HostPlace): string {
  return agentFolder('codex', place);
}

function codexRoots(place: HostPlace): readonly HostRoot[] {
  const own = join(codexFolder(place), 'skills');
  const projects = projectDirectories(place.cwd);
  // Its own folder stays the user's where the home itself is a project.
  const others = projects.filter((dir) => join(dir, '.codex', 'skills') !== own);
  return [
    ...projectRoots(others, '.codex/skills', 'private'),
    { path: own, level: 'user', use: 'private' },
    { path: join(place.home, '.agents', 'skills'), level: 'user', use: 'shared' },
    { path: join(own, '.system'), level: 'bundled', use: 'host' },
    { path: ADMIN_FOLDER, level: 'admin', use: 'host' },
    ...projectRoots(projects.toReversed(), '.agents/skills', 'shared'),
  ];
}

/** Skills of the same name all stay; a skill that is reached twice counts once. */
function discoverCodex(place: HostPlace): readonly HostSkill[] {
  const found = codexRoots(place).flatMap((root) =>
    readRoot(
      { ...root, path: realPath(root.path) ?? root.path },
      root.level === 'bundled' ? BUNDLED_RULES : CODEX_RULES,
    ),
  );
  const rank = ({ root }: HostSkill): number => LIST_ORDER.indexOf(root.level);
  return [...dropSameFiles(found)].sort(
    (a, b) => rank(a) - rank(b) || compareText(a.name, b.name) || compareText(a.file, b.file),
  );
}

const judge: Judge = ({ fields, fault, hasFrontmatter }, id) => {
  const description = onOneLine(fieldText(fields, 'description') ?? '');
  const name = onOneLine(fieldText(fields, 'name') ?? id);
  const loss = findLoss();
  return { name, description, loss };

  function findLoss(): Reason | undefined {
    if (!hasFrontmatter)
      return { because: 'it has no frontmatter in its first line', next: { advice: 'Begin the file with ---.' } };
    if (fault !== undefined) return { because: fault, next: { advice: 'Write the frontmatter as valid YAML.' } };
    if (description === '') return { because: 'it has no description', next: { advice: 'Give it a description.' } };
    if (fields.has('name') && typeof fields.get('name') !== 'string' && fields.get('name') !== null)
      return { because: 'its name is not text', next: { advice: 'Write the name as one text.' } };
    const isLong = countCodePoints(name) > MAX_NAME_LENGTH;
    return isLong
      ? { because: `its name has more than ${MAX_NAME_LENGTH} characters`, next: { advice: 'Shorten it.' } }
      : undefined;
  }
};

function onOneLine(text: string): string {
  return text
    .split(/\s+/)
    .filter((word) => word !== '')
    .join(' ');
}

const DIALECT: Dialect = {
  // Fences may have spaces around them; a file that is not UTF-8 is not read.
  split: (text) => (text.includes('\uFFFD') ? undefined : splitAtFences(text.replaceAll(/^[ \t]*---[ \t]*$/gm, '---'))),
  recover: (yaml) => (/^\t/m.test(yaml) ? undefined : quoteValues(yaml, '-%*')),
  duplicates: 'refused',
};

const CODEX_RULES: ReadingRules = {
  depth: 6,
  takesRoot: true,
  entersSkills: true,
  followsFileLinks: false,
  dialect: DIALECT,
  judge,
};
const BUNDLED_RULES: ReadingRules = { ...CODEX_RULES, followsLinks: false };

/** The user's own file; a project's file has no say over skills. */
function readCodexSettings(place: HostPlace): SettingsFile {
  return readTomlSettings(join(codexFolder(place), 'config.toml'));
}

/** The table `[skills]`. */
function skillsTable({ values }: SettingsFile): SettingsObject {
  return objectOf(values['skills']);
}

/** Seen in 0.166.0. `disable-model-invocation` has no effect here. */
const OWN_FILE = 'agents/openai.yaml';
const MAX_OWN_BYTES = 64 * 1024;

/** Keeps a skill from the model by `policy.allow_implicit_invocation`. */
export const CODEX_OWN_FILE: OwnFile = {
  path: OWN_FILE,
  field: 'disable-model-invocation',
  says(text) {
    const policy = readYaml(text).map?.get('policy');
    return isMap(policy) && policy.get('allow_implicit_invocation') === 'false';
  },
};

/** Later rules win. A rule names either the SKILL.md file or the skill; one that names both, or a folder, has no effect. */
function readCodexSwitches(place: HostPlace): Switches {
  const file = readCodexSettings(place);
  const table = skillsTable(file);
  const rules = Array.isArray(table['config']) ? table['config'].map(objectOf) : [];
  const isBundledOff = objectOf(table['bundled'])['enabled'] === false;
  return {
    files: [file.path],
    faults: faultsOf([file]),
    stateOf(skill) {
      if (skill.root.level === 'bundled' && isBundledOff)
        return {
          state: 'hidden',
          file: file.path,
          because: `skills.bundled.enabled is false in ${file.path}`,
          next: { advice: 'Remove that line.' },
        };
      const rule = rules.findLast((each) => isMeant(each, skill));
      if (rule === undefined || rule['enabled'] !== false) return findOwnSwitch(skill);
      return {
        state: 'hidden',
        file: file.path,
        because: `turned off in ${file.path} ([[skills.config]])`,
        next: { advice: 'Remove that entry, or set enabled = true there.' },
      };
    },
  };
}

function isMeant({ path, name }: Readonly<Record<string, unknown>>, skill: HostSkill): boolean {
  if (typeof path === 'string' && typeof name === 'string') return false;
  if (typeof name === 'string') return name.trim() === skill.name;
  return typeof path === 'string' && (path === skill.realFile || realPath(path) === skill.realFile);
}

/** `policy.allow_implicit_invocation` in the skill's own file. */
function findOwnSwitch({ realFile }: HostSkill): SwitchState | undefined {
  const read = readInside(dirname(realFile), OWN_FILE, { maxBytes: MAX_OWN_BYTES });
  if (!read.ok) return undefined;
  if (!CODEX_OWN_FILE.says(read.bytes.toString())) return undefined;
  return {
    state: 'hidden',
    because: `its ${OWN_FILE} says policy.allow_implicit_invocation: false`,
    next: { advice: 'Remove that line; until then only users start it, with $.' },
  };
}

/** Seen in 0.166.0. */
const WINDOW_PERCENT = 2;
const DEFAULT_WINDOW = 272_000;
const MOST_CONFIGURED_TOKENS = 10_000;
const BYTES_PER_TOKEN = 4;
const MAX_DESCRIPTION_LENGTH = 1_024;

/**
 * All lines in full if they fit. Else, if all names fit, the room that is left is dealt out one character per skill and
 * round. Else names alone, as many as fit.
 */
function layOutCodex(skills: readonly ListedSkill[], place: HostPlace, request: CatalogRequest): HostCatalog {
  const settings = readCodexSettings(place);
  const table = skillsTable(settings);
  if (table['include_instructions'] === false) return { entries: skills.map(({ skill }) => omit(skill, SILENT)) };
  const lines = skills.map(({ skill }) => layOutLine(skill));
  const needed = sum(lines.map(({ full }) => full));
  const room = { ...findRoom(table, settings.values['model_context_window'], request), needed };
  const least = sum(lines.map(({ short }) => short));
  if (needed <= room.limit) return { entries: lines.map(({ entry }) => entry), room };
  if (least > room.limit) return { entries: listNames(lines, room), room };
  const shown = dealOut(lines, room.limit - least);
  return { entries: lines.map((line, at) => shorten(line, shown[at] ?? 0, room)), room };
}

const SILENT = {
  because: 'skills.include_instructions is false, so no skill is listed',
  next: { advice: 'Remove that line from config.toml.' },
};

interface Line {
  readonly entry: HostCatalogEntry;
  readonly characters: readonly string[];
  /** Tokens of the whole line and of the line without a description. */
  readonly full: number;
  readonly short: number;
  /** Bytes of the line without a description. */
  readonly bytes: number;
}

function layOutLine(skill: HostSkill): Line {
  const { text, cut } = describeForCodex(skill);
  const path = relative(realPath(skill.root.path) ?? skill.root.path, skill.file);
  const bytes = Buffer.byteLength(`- ${skill.name}: (file: r0/${path})\n`);
  const full = text === '' ? bytes : bytes + 1 + Buffer.byteLength(text);
  return {
    entry: { skill, text, isListed: true, ...(cut === undefined ? {} : { cut }) },
    characters: Array.from(text),
    full: tokens(full),
    short: tokens(bytes),
    bytes,
  };
}

/** The description, up to a limit. */
function describeForCodex({ description }: Pick<HostSkill, 'description'>): ShownDescription {
  const whole = Array.from(description);
  if (whole.length <= MAX_DESCRIPTION_LENGTH) return { text: description };
  const because = `its description has ${whole.length} characters, and only ${MAX_DESCRIPTION_LENGTH} are shown`;
  const cut = { because, next: { advice: 'Say what it is for in the first sentences.' } };
  return { text: `${whole.slice(0, MAX_DESCRIPTION_LENGTH - 3).join('')}...`, cut };
}

/** How many characters of each description are shown. */
function dealOut(lines: readonly Line[], room: number): readonly number[] {
  const shown = lines.map(() => 0);
  const bytes = lines.map((line) => line.bytes);
  let left = room;
  for (let hasChanged = true; hasChanged;) {
    hasChanged = false;
    for (const [at, line] of lines.entries()) {
      const count = shown[at] ?? 0;
      const next = line.characters[count];
      if (next === undefined) continue;
      const before = bytes[at] ?? 0;
      const after = before + Buffer.byteLength(next) + (count === 0 ? 1 : 0);
      const cost = tokens(after) - tokens(before);
      if (cost > left) continue;
      left -= cost;
      bytes[at] = after;
      shown[at] = count + 1;
      hasChanged = true;
    }
  }
  return shown;
}

function shorten({ entry, characters }: Line, count: number, { needed, limit }: CatalogRoom): HostCatalogEntry {
  if (count >= characters.length) return entry;
  const because = `the list needs ${needed} tokens and has ${limit}, so all long descriptions are cut to about the same length`;
  return { ...entry, text: characters.slice(0, count).join(''), cut: { because, next: MORE_ROOM } };
}

const MORE_ROOM: NextStep = {
  advice: 'Turn off skills that you do not use, or raise skills.max_context_tokens in config.toml.',
};

function listNames(lines: readonly Line[], { needed, limit }: CatalogRoom): readonly HostCatalogEntry[] {
  let used = 0;
  return lines.map(({ entry, short }) => {
    const because = `the list needs ${needed} tokens and has ${limit}, not enough for all names`;
    if (used + short > limit) return omit(entry.skill, { because, next: MORE_ROOM });
    used += short;
    return { skill: entry.skill, text: '', isListed: true, cut: { because, next: MORE_ROOM } };
  });
}

function omit(skill: HostSkill, cut: HostCatalogEntry['cut']): HostCatalogEntry {
  return { skill, text: '', isListed: false, cut };
}

function findRoom(
  table: Readonly<Record<string, unknown>>,
  configured: unknown,
  { window }: CatalogRequest,
): Omit<CatalogRoom, 'needed'> {
  const given = table['max_context_tokens'];
  if (typeof given === 'number' && given > 0)
    return {
      unit: 'tokens',
      limit: Math.min(given, MOST_CONFIGURED_TOKENS),
      because: 'set by skills.max_context_tokens',
    };
  const tokenCount = window ?? (typeof configured === 'number' ? configured : DEFAULT_WINDOW);
  return {
    unit: 'tokens',
    limit: Math.max(1, Math.floor((tokenCount * WINDOW_PERCENT) / 100)),
    because: `${WINDOW_PERCENT} % of a window of ${tokenCount} tokens`,
  };
}

function tokens(bytes: number): number {
  return Math.ceil(bytes / BYTES_PER_TOKEN);
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, each) => total + each, 0);
}

const FILE = 'hooks.json';
const PROMPT = 'UserPromptSubmit';

/** Seen in 0.166.0. A hook that asks for a field that its event lacks fails. */
const codexHook: HostHook = {
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
  loadTool: 'mcp__skillplane__load_skill',
  afterwards: 'Restart Codex and approve the hook in `/hooks`; Codex silently skips it until you do.',
};

export const codex: KnownHost = defineHost('codex', {
  seenIn: '0.166.0',
  roots: codexRoots,
  reading: CODEX_RULES,
  discover: discoverCodex,
  listing: { layOut: layOutCodex, describe: describeForCodex },
  switch: {
    read: readCodexSwitches,
    // A rule must name the SKILL.md file without links; a folder has no effect.
    file: (place, scope) =>
      scope === 'project'
        ? { because: 'Codex cannot turn off single skills in a project' }
        : {
            path: join(codexFolder(place), 'config.toml'),
            entryFor: ({ realFile }) => ({
              kind: 'lines',
              text: `[[skills.config]]\npath = ${JSON.stringify(realFile)}\nenabled = false`,
            }),
          },
  },
  ownFile: CODEX_OWN_FILE,
  shownIn: sharedFolder,
  reserved: ['.system'],
  history: codexHistory,
  hook: codexHook,
});
