import { dirname, join } from 'node:path';

import { compareText } from '../../model/order.ts';
import { quoteWord } from '../../model/shell-word.ts';
import { isInside } from '../../platform/files/files.ts';
import { agentFolder } from '../../sources/agent-folders.ts';
import { HINT_MARK } from '../hint-mark.ts';
import type { LineHistory } from '../history/host-history.ts';
import { textAt, valueAt, type Json } from '../history/json-value.ts';
import type { Session } from '../history/session.ts';
import { HOOK_TIMEOUT_S, type HostHook } from '../hooks/host-hook.ts';
import { defineHost, sharedFolder, type HostPlace, type KnownHost } from '../host.ts';
import { splitAtFences, type Dialect } from '../seeing/dialect.ts';
import type {
  HostCatalog,
  HostCatalogEntry,
  HostRoot,
  HostSkill,
  ListedSkill,
  Reason,
  Switches,
} from '../seeing/host-skill.ts';
import { describeWhole } from '../seeing/list-everything.ts';
import { projectRoots } from '../seeing/project-roots.ts';
import type { Judge, ReadingRules } from '../seeing/read-walked.ts';
import { faultsOf, readJsonSettings, textsOf } from '../seeing/settings-file.ts';
import { fieldFlag, isTyped, rawText } from '../seeing/skill-text.ts';
import { upwardFrom } from '../seeing/upward.ts';

/** Seen in 1.0.102. In UTF-16 units. */
const MAX_DESCRIPTION_LENGTH = 1_024;

function copilotFolder(place: HostPlace): string {
  return agentFolder('copilot', place);
}

function copilotRoots(place: HostPlace): readonly HostRoot[] {
  const projects = upwardFrom(place.cwd);
  const custom = (place.variables['COPILOT_SKILLS_DIRS'] ?? '').split(',').filter((path) => path !== '');
  return [
    ...projectRoots(projects, '.github/skills', 'private'),
    ...projectRoots(projects, '.agents/skills', 'shared'),
    // The folder in the home is Claude Code's, even for who works there.
    ...projectRoots(
      projects.filter((dir) => dir !== place.home),
      '.claude/skills',
      'shared',
    ),
    { path: join(copilotFolder(place), 'skills'), level: 'user', use: 'private' },
    // A folder of one's own for everything leaves out what other programs share.
    ...(place.variables['COPILOT_HOME']
      ? []
      : [{ path: join(place.home, '.agents', 'skills'), level: 'user', use: 'shared' } as const]),
    ...custom.map((path): HostRoot => ({ path, level: 'user', use: 'private' })),
  ];
}

const judge: Judge = (text, id) => {
  const { fields, body, hasFrontmatter, fault } = text;
  const given = rawText(fields, 'name');
  const name = (given ?? id).replaceAll(' ', '-');
  const description = rawText(fields, 'description')?.replace(/\n+$/, '');
  const loss = findLoss();
  return { name, description: description ?? firstSection(body), loss };

  function findLoss(): Reason | undefined {
    if (!hasFrontmatter)
      return { because: 'it does not begin with frontmatter', next: { advice: 'Begin the file with ---.' } };
    if (fault !== undefined) return { because: fault, next: { advice: 'Write the frontmatter as valid YAML.' } };
    if (fields.has('name') && (given === undefined || given === '' || isTyped(text, 'name')))
      return { because: 'its name is not text', next: { advice: 'Write the name as one text, in quotes if need be.' } };
    if (!NAME.test(name))
      return {
        because:
          'its name has other characters than letters, digits, colons, dots, dashes and underscores, or more than 64',
        next: { advice: 'Rename it.' },
      };
    if (fields.has('description') && (description === undefined || isTyped(text, 'description')) && description !== '')
      return { because: 'its description is not text', next: { advice: 'Write the description as one text.' } };
    if ((description ?? '').length > MAX_DESCRIPTION_LENGTH)
      return {
        because: `its description has more than ${MAX_DESCRIPTION_LENGTH} characters`,
        next: { advice: 'Shorten the description.' },
      };
    return undefined;
  }
};

const NAME = /^[A-Za-z0-9._:-]{1,64}$/;

/** Stands in for a missing description: the text of the first section. */
function firstSection(body: string): string {
  const lines = body.split(/\r?\n/).map((line) => line.trim());
  const start = lines.findIndex((line) => line !== '' && !line.startsWith('#'));
  if (start === -1) return '';
  const rest = lines.slice(start);
  const end = rest.findIndex((line) => line.startsWith('#'));
  const section = rest.slice(0, end === -1 ? undefined : end).filter((line) => line !== '');
  return section.join(' ').slice(0, MAX_DESCRIPTION_LENGTH);
}

const DIALECT: Dialect = {
  split(text) {
    const unmarked = text.replace(/^\uFEFF/, '');
    const empty = /^---[ \t]*\r?\n---[ \t]*(?:\r?\n|$)/.exec(unmarked);
    return empty === null ? splitAtFences(unmarked) : { yaml: '{}\n', body: unmarked.slice(empty[0].length) };
  },
  refusesTags: true,
  ignoresLists: true,
  duplicates: 'refused',
};

const COPILOT_RULES: ReadingRules = { depth: 20, takesRoot: true, dialect: DIALECT, judge };

/** Seen in 1.0.102. A repository that is trusted may add to the list. */
function readCopilotSwitches(place: HostPlace): Switches {
  const root = upwardFrom(place.cwd).at(-1) ?? place.cwd;
  const { trustedFolders } = readJsonSettings(join(copilotFolder(place), 'config.json')).values;
  const isTrusted = textsOf(trustedFolders).some((path) => isInside(root, path));
  const files = [
    join(copilotFolder(place), 'settings.json'),
    ...(isTrusted ? [join(root, '.github', 'copilot', 'settings.json')] : []),
  ].map(readJsonSettings);
  return {
    files: files.map(({ path }) => path),
    faults: faultsOf(files),
    stateOf({ name, fields }) {
      const file = files.find(({ values }) => textsOf(values['disabledSkills']).includes(name));
      if (file !== undefined)
        return {
          state: 'hidden',
          file: file.path,
          because: `turned off in ${file.path} (disabledSkills)`,
          next: { advice: 'Remove it from that list.' },
        };
      if (fieldFlag(fields, 'disable-model-invocation') !== true) return undefined;
      return {
        state: 'hidden',
        because: 'its own frontmatter says disable-model-invocation: true',
        next: { advice: 'Remove that line; until then only users start it, with a slash.' },
      };
    },
  };
}

/** Seen in 1.0.102. */
const DEFAULT_LIMIT = 15_000;
const NAMES_LIMIT = 5_000;

/** Blocks in the order of their sources until one does not fit; the names of it and of all after it go into one line. */
function layOutCopilot(found: readonly ListedSkill[], { cwd, variables }: HostPlace): HostCatalog {
  const skills = sortRuns(found, cwd);
  const given = Number(variables['SKILL_CHAR_BUDGET']);
  const limit = given > 0 ? given : DEFAULT_LIMIT;
  const because = given > 0 ? 'set by SKILL_CHAR_BUDGET' : 'its own limit';
  const sizes = skills.map(({ skill }) => block(skill).length + 1);
  const needed = sizes.reduce((sum, size) => sum + size, 0);
  let used = 0;
  const end = sizes.findIndex((size) => {
    used += size;
    return used > limit;
  });
  const fitting = end === -1 ? skills.length : end;
  let names = 0;
  const entries = skills.map(({ skill }, at): HostCatalogEntry => {
    if (at < fitting) return { skill, text: skill.description, isListed: true };
    names += skill.name.length + 2;
    const cut = {
      because: `the list needs ${needed} characters and has ${limit}, and ends at the first skill that does not fit`,
      next: {
        advice: 'Turn off skills that come before it, shorten their descriptions, or raise SKILL_CHAR_BUDGET.',
      },
    };
    return { skill, text: '', isListed: names <= NAMES_LIMIT, cut };
  });
  return { entries, room: { unit: 'characters', limit, needed, because } };
}

/** Skills that follow each other and come from the same kind of place are sorted by name. */
function sortRuns(skills: readonly ListedSkill[], cwd: string): readonly ListedSkill[] {
  const kindOf = ({ skill: { root } }: ListedSkill): string =>
    root.level !== 'project' ? root.path : dirname(dirname(root.path)) === cwd ? 'project' : 'inherited';
  const runs: ListedSkill[][] = [];
  for (const skill of skills) {
    const last = runs.at(-1);
    if (last?.[0] !== undefined && kindOf(last[0]) === kindOf(skill)) last.push(skill);
    else runs.push([skill]);
  }
  return runs.flatMap((run) => run.sort((a, b) => compareText(a.skill.name, b.skill.name)));
}

function block({ name, description, root }: HostSkill): string {
  const location = root.level === 'bundled' ? 'builtin' : root.level;
  return `<skill>\n  <name>${name}</name>\n  <description>${escape(description)}</description>\n  <location>${location}</location>\n</skill>`;
}

function escape(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
}

/** One file of events per session. */
const copilotHistory: LineHistory = {
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

/** Seen in 1.0.102, which reads every JSON file of this folder. Its events do not say which one they are. */
const copilotHook: HostHook = {
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
  // github/copilot-sdk issue 869: server, hyphen, tool.
  loadTool: 'skillplane-load_skill',
  afterwards: 'Restart Copilot.',
};

export const copilot: KnownHost = defineHost('copilot', {
  seenIn: '1.0.102',
  builtIn: ['customize-cloud-agent', 'github-pr-media'],
  roots: copilotRoots,
  reading: COPILOT_RULES,
  listing: { layOut: layOutCopilot, describe: describeWhole },
  switch: {
    read: readCopilotSwitches,
    file: (place, scope) => ({
      path:
        scope === 'user'
          ? join(copilotFolder(place), 'settings.json')
          : join(place.cwd, '.github', 'copilot', 'settings.json'),
      entryFor: ({ name }) => ({ kind: 'item', at: ['disabledSkills'], value: name }),
    }),
  },
  fields: ['allowed-tools', 'argument-hint', 'context', 'disable-model-invocation', 'user-invocable'],
  // With a folder of its own for everything, it leaves out what other programs share.
  shownIn: (place, scope) =>
    scope === 'user' && place.variables['COPILOT_HOME']
      ? join(copilotFolder(place), 'skills')
      : sharedFolder(place, scope),
  history: copilotHistory,
  hook: copilotHook,
});
