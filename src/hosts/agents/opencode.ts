import { join, resolve } from 'node:path';

import type { FrontmatterMap } from '../../model/skill.ts';
import { readYaml } from '../../parse/yaml/read-yaml.ts';
import { exists } from '../../platform/files/files.ts';
import { agentFolder } from '../../sources/agent-folders.ts';
import { HINT_MARK } from '../hint-mark.ts';
import type { DatabaseHistory } from '../history/host-history.ts';
import { itemsAt, numberAt, textAt, valueAt } from '../history/json-value.ts';
import { HOOK_TIMEOUT_S, type HookCall, type HostHook } from '../hooks/host-hook.ts';
import { defineHost, sharedFolder, type HostPlace, type KnownHost } from '../host.ts';
import { splitAtFences, type Dialect } from '../seeing/dialect.ts';
import type {
  HostCatalog,
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
import { faultsOf, objectOf, readJsonSettings, textsOf, type SettingsFile } from '../seeing/settings-file.ts';
import { isTyped, rawText } from '../seeing/skill-text.ts';
import { upwardFrom } from '../seeing/upward.ts';

function opencodeFolder(place: HostPlace): string {
  return agentFolder('opencode', place);
}

/** An additional folder, if a variable names it. */
function opencodeFurtherFolder({ variables }: HostPlace): readonly string[] {
  const further = variables['OPENCODE_CONFIG_DIR'];
  return further === undefined || further === '' ? [] : [further];
}

const NAMES = ['opencode.json', 'opencode.jsonc'];

/** The settings files, the weakest first: the user's, one that a variable names, then the project's from above to here. */
function readOpencodeSettings(place: HostPlace): readonly SettingsFile[] {
  const own = opencodeFolder(place);
  const named = place.variables['OPENCODE_CONFIG'];
  const projects = upwardFrom(place.cwd, place.home).toReversed();
  return [
    ...['config.json', ...NAMES].map((name) => join(own, name)),
    ...(named === undefined || named === '' ? [] : [named]),
    ...projects.flatMap((dir) => NAMES.map((name) => join(dir, name))),
    ...[
      join(place.home, '.opencode'),
      ...projects.map((dir) => join(dir, '.opencode')),
      ...opencodeFurtherFolder(place),
    ].flatMap((dir) => NAMES.map((name) => join(dir, name))),
  ].map(readJsonSettings);
}

/** Seen in 1.18.33. */
function opencodeRoots(place: HostPlace): readonly HostRoot[] {
  const { home, variables } = place;
  const projects = upwardFrom(place.cwd, home);
  const isSkipped = (name: string): boolean =>
    isSet(variables['OPENCODE_DISABLE_EXTERNAL_SKILLS']) ||
    (name === '.claude' &&
      (isSet(variables['OPENCODE_DISABLE_CLAUDE_CODE']) || isSet(variables['OPENCODE_DISABLE_CLAUDE_CODE_SKILLS'])));
  const shared = ['.claude', '.agents'].filter((name) => !isSkipped(name));
  const paths = readOpencodeSettings(place).flatMap(({ values }) => textsOf(objectOf(values['skills'])['paths']));
  return [
    ...shared.map((name): HostRoot => ({ path: join(home, name, 'skills'), level: 'user', use: 'shared' })),
    ...shared.flatMap((name) => projectRoots(projects, `${name}/skills`, 'shared')),
    ...[opencodeFolder(place), join(home, '.opencode'), ...opencodeFurtherFolder(place)].flatMap((dir) =>
      ['skill', 'skills'].map((name): HostRoot => ({ path: join(dir, name), level: 'user', use: 'private' })),
    ),
    ...['skill', 'skills'].flatMap((name) => projectRoots(projects, `.opencode/${name}`, 'private')),
    ...paths.map((path): HostRoot => ({
      path: path.startsWith('~/') ? join(home, path.slice(2)) : resolve(place.cwd, path),
      level: 'user',
      use: 'private',
    })),
  ];
}

function isSet(value: string | undefined): boolean {
  return value === 'true' || value === '1';
}

/** Files of one name are read at the same time, and whichever is read last is taken. */
function discoverOpencode(place: HostPlace): readonly HostSkill[] {
  const found = opencodeRoots(place).flatMap((root) => readRoot(root, OPENCODE_RULES));
  const loaded = found.filter(({ loss }) => loss === undefined);
  const byName = Map.groupBy(loaded, ({ name }) => name);
  const first = [...byName.values()].flatMap(([skill, ...others]) => {
    if (skill === undefined) return [];
    return others.length === 0 ? [skill] : [{ ...skill, rivals: others.map(({ file }) => file) }];
  });
  return [...first, ...found.filter(({ loss }) => loss !== undefined)];
}

const judge: Judge = (text, id) => {
  const { fields, fault } = text;
  const name = rawText(fields, 'name');
  const description = rawText(fields, 'description');
  const loss = findLoss();
  return { name: name ?? id, description: description ?? '', loss };

  /** It reads plain dates as dates. */
  function isDate(key: string): boolean {
    return !text.quoted.has(key) && /^\d{4}-\d{2}-\d{2}/.test(rawText(fields, key) ?? '');
  }

  function findLoss(): Reason | undefined {
    if (fault !== undefined) return { because: fault, next: { advice: 'Write the frontmatter as valid YAML.' } };
    if (name === undefined)
      return { because: 'it has no name in its frontmatter', next: { advice: 'Give it a name.' } };
    if (isTyped(text, 'name') || isDate('name'))
      return { because: `its name ${name} is not text`, next: { advice: 'Put the name in quotes.' } };
    const isText =
      description === undefined
        ? !fields.has('description')
        : description === '' || !(isTyped(text, 'description') || isDate('description'));
    return isText
      ? undefined
      : { because: 'its description is not text', next: { advice: 'Write the description as one text.' } };
  }
};

/** Only values with a second colon and tab indentation are recovered. */
function recover(yaml: string): FrontmatterMap | undefined {
  const lines = yaml
    .replaceAll(/^\t+/gm, '  ')
    .split('\n')
    .map((line) =>
      line.replace(
        /^([\w-]+): +([^"'|>\s].*:.*)$/,
        (_, key: string, value: string) => `${key}: ${JSON.stringify(value)}`,
      ),
    );
  const { map, faults } = readYaml(lines.join('\n'));
  return faults.length > 0 ? undefined : map;
}

const DIALECT: Dialect = {
  split(text) {
    const unmarked = text.replace(/^\uFEFF/, '');
    // Unterminated frontmatter extends to the end of the file.
    return splitAtFences(unmarked) ?? splitAtFences(`${unmarked}\n---\n`);
  },
  refusesTags: true,
  recover,
  duplicates: 'refused',
};

const OPENCODE_RULES: ReadingRules = {
  depth: 20,
  takesRoot: true,
  entersSkills: true,
  entersHidden: true,
  dialect: DIALECT,
  judge,
};

/** Seen in 1.18.33: `permission.skill` is one word, or words by pattern, of which the last that fits counts. */
function readOpencodeSwitches(place: HostPlace): Switches {
  const files = readOpencodeSettings(place);
  const rules = mergeRules(files);
  return {
    files: files.map(({ path }) => path),
    faults: faultsOf(files),
    stateOf: (skill) => judgeRules(skill, rules),
  };
}

interface Rule {
  readonly pattern: string;
  readonly action: string;
  readonly file: string;
}

/** A pattern that a stronger file gives again keeps its place. */
function mergeRules(files: readonly SettingsFile[]): readonly Rule[] {
  const rules = new Map<string, Rule>();
  for (const { path, values } of files) {
    const permission = values['permission'];
    const skill = typeof permission === 'string' ? permission : objectOf(permission)['skill'];
    const given = typeof skill === 'string' ? { '*': skill } : objectOf(skill);
    for (const [pattern, action] of Object.entries(given))
      if (typeof action === 'string') rules.set(pattern, { pattern, action, file: path });
  }
  return [...rules.values()];
}

function judgeRules({ name }: HostSkill, rules: readonly Rule[]): SwitchState | undefined {
  const rule = rules.findLast(({ pattern }) => toExpression(pattern).test(name));
  if (rule?.action !== 'deny') return undefined;
  return {
    state: 'hidden',
    file: rule.file,
    because: `turned off in ${rule.file} (permission.skill denies "${rule.pattern}")`,
    next: { advice: `Add "${name}": "allow" after that pattern.` },
  };
}

/** A star stands for any text, a question mark for one character. */
function toExpression(pattern: string): RegExp {
  const source = pattern
    .replaceAll(/[$()+.[\\\]^{|}]/g, String.raw`\$&`)
    .replaceAll(/\*+/g, '.*')
    .replaceAll('?', '.');
  return new RegExp(`^${source}$`, 's');
}

/** The program sorts by the user's language; this is the order of most. */
const COLLATOR = new Intl.Collator('en');

/** Seen in 1.18.33: in the order of names, without a limit; what has no description is not listed. */
function layOutOpencode(skills: readonly ListedSkill[]): HostCatalog {
  const sorted = [...skills].sort((a, b) => COLLATOR.compare(a.skill.name, b.skill.name));
  return {
    entries: sorted.map(({ skill }) => ({
      skill,
      // A description that is there and empty is listed.
      isListed: skill.description !== '' || skill.fields.has('description'),
      ...describeForOpencode(skill),
    })),
  };
}

/** The whole description. */
function describeForOpencode({ description }: Pick<HostSkill, 'description'>): ShownDescription {
  const cut = { because: 'it has no description, so it is not listed', next: { advice: 'Give it a description.' } };
  return description === '' ? { text: '', cut } : { text: description };
}

/**
 * A database of sessions. A skill that a user calls by slash becomes an ordinary part of the request, so only what the model
 * loads is seen.
 */
const opencodeHistory: DatabaseHistory = {
  kind: 'database',
  file: ({ home, variables }) =>
    variables['OPENCODE_DB'] ||
    join(variables['XDG_DATA_HOME'] || join(home, '.local', 'share'), 'opencode', 'opencode.db'),
  query: `SELECT part.id AS id, part.session_id AS session, coalesce(session.directory, '') AS cwd,
            part.time_updated AS changed, part.data AS data
          FROM part LEFT JOIN session ON session.id = part.session_id
          WHERE part.time_updated >= ? AND (instr(part.data, '"tool":"skill"') OR instr(part.data, '${HINT_MARK}'))
          ORDER BY part.time_created, part.id`,
  requests: `SELECT part.id AS id, part.session_id AS session, coalesce(session.directory, '') AS cwd,
               part.time_updated AS changed, part.data AS data, coalesce(json_extract(message.data, '$.role'), '') AS role
             FROM part LEFT JOIN session ON session.id = part.session_id LEFT JOIN message ON message.id = part.message_id
             WHERE part.time_updated >= ? AND (instr(part.data, '"tool":"skill"') OR instr(part.data, '${HINT_MARK}')
               OR (instr(message.data, '"role":"user"') AND instr(part.data, '"type":"text"')))
             ORDER BY part.time_created, part.id`,
  read({ id, session: name, cwd, changed, role, data }, session) {
    session.place({ session: name, cwd });
    const [type, skill] = [valueAt(data, 'type'), textAt(data, 'state', 'input', 'name')];
    const at = session.time(numberAt(data, 'state', 'time', 'start') || changed);
    if (type === 'tool' && valueAt(data, 'tool') === 'skill' && valueAt(data, 'state', 'status') === 'completed') {
      // Our hook tells of a use by the id of the call.
      if (skill !== undefined) session.use({ id: textAt(data, 'callID') ?? id, skill, at, by: 'model' });
    } else if (type === 'text' && textAt(data, 'text')?.startsWith(HINT_MARK) === true)
      session.hint({ id, at, text: textAt(data, 'text') ?? '' });
    // Synthetic parts are the program's own.
    else if (type === 'text' && role === 'user' && valueAt(data, 'synthetic') !== true)
      session.ask(textAt(data, 'text') ?? '');
  },
};

/**
 * Seen in 1.18.33. Its hooks are functions of a module, so ours is one that asks us by a process. With any such module, a start
 * waits until `@opencode-ai/plugin` is in `node_modules` beside the settings: without a network, until npm gives up.
 */
const opencodeHook: HostHook = {
  canAskServer: false,
  useMark: 'RECORDS_USE = true',
  pieces: (call) => [{ kind: 'file', file: 'plugins/skillplane.js', text: renderPlugin(call) }],
  readEvent(event) {
    const [session, cwd] = [textAt(event, 'session') ?? '', textAt(event, 'cwd')];
    const [prompt, skill] = [textAt(event, 'prompt'), textAt(event, 'skill')];
    const active = itemsAt(event, 'active').filter((name) => typeof name === 'string');
    if (valueAt(event, 'event') === 'prompt' && prompt !== undefined)
      return { kind: 'prompt', session, cwd, prompt, active };
    if (valueAt(event, 'event') !== 'use' || skill === undefined) return undefined;
    return { kind: 'use', session, cwd, id: textAt(event, 'call'), skills: [skill] };
  },
  render: (hint) => JSON.stringify({ hint }),
  spell: (name) => name,
  loading: 'Call the skill tool with it before anything else.',
  // packages/opencode/src/mcp/index.ts: server, underscore, tool.
  loadTool: 'skillplane_load_skill',
  afterwards: 'Restart OpenCode.',
};

/** The module that OpenCode loads. Whatever goes wrong in it, the message goes on as it is. */
function renderPlugin({ command, recordsUse }: Pick<HookCall, 'command' | 'recordsUse'>): string {
  const values = { COMMAND: command, RECORDS_USE: recordsUse, LIMIT_MS: 1_000 * HOOK_TIMEOUT_S };
  return Object.entries(values).reduce(
    (text, [name, value]) => text.replace(`@${name}@`, () => JSON.stringify(value)),
    MODULE,
  );
}

const MODULE = `// Made by \`skillplane hosts connect opencode\`; \`skillplane hosts disconnect opencode\` removes it.
const COMMAND = @COMMAND@;
const RECORDS_USE = @RECORDS_USE@;
const LIMIT_MS = @LIMIT_MS@;
const MOST_SESSIONS = 100;

/** Skills that a conversation has, or was told of. */
const known = new Map();

export const Skillplane = async ({ directory, $ }) => ({
  'chat.message': async (input, output) => {
    const prompt = output.parts
      .filter((part) => part.type === 'text' && !part.synthetic)
      .map((part) => part.text)
      .join('\\n');
    const session = input.sessionID;
    const { hint } = await ask($, { event: 'prompt', session, cwd: directory, prompt, active: [...skillsOf(session)] });
    if (typeof hint !== 'string') return;
    for (const [, name] of hint.matchAll(/\`([^\`]+)\`/g)) skillsOf(session).add(name);
    const messageID = output.message.id;
    output.parts.push({ id: idAfter(output.parts.at(-1)?.id), sessionID: session, messageID, type: 'text', text: hint, synthetic: true });
  },
  'tool.execute.after': async (input, output) => {
    const skill = output?.metadata?.name ?? input.args?.name;
    if (input.tool !== 'skill' || typeof skill !== 'string') return;
    skillsOf(input.sessionID).add(skill);
    if (RECORDS_USE) await ask($, { event: 'use', session: input.sessionID, cwd: directory, skill, call: input.callID });
  },
});

function skillsOf(session) {
  const skills = known.get(session) ?? new Set();
  known.delete(session);
  known.set(session, skills);
  if (known.size > MOST_SESSIONS) known.delete(known.keys().next().value);
  return skills;
}

/** The answer of the command; nothing if it fails or takes too long. */
async function ask($, event) {
  try {
    const asked = $\`\${COMMAND} < \${new Response(JSON.stringify(event))}\`.quiet().nothrow().text();
    const late = new Promise((resolve) => setTimeout(resolve, LIMIT_MS, ''));
    return JSON.parse((await Promise.race([asked, late])) || '{}');
  } catch {
    return {};
  }
}

/** The id after another one: a time in hexadecimal digits, then chance. OpenCode drops parts with ids of another form. */
function idAfter(id) {
  const [, time = '0', rest = ''] = /^prt_([0-9a-f]{12})(.*)$/.exec(id) ?? [];
  return \`prt_\${(BigInt(\`0x\${time}\`) + 1n).toString(16).padStart(12, '0')}\${rest}\`;
}
`;

export const opencode: KnownHost = defineHost('opencode', {
  seenIn: '1.18.33',
  builtIn: ['customize-opencode'],
  roots: opencodeRoots,
  reading: OPENCODE_RULES,
  discover: discoverOpencode,
  listing: { layOut: layOutOpencode, describe: describeForOpencode },
  switch: {
    read: readOpencodeSwitches,
    file(place, scope) {
      const dir = scope === 'user' ? opencodeFolder(place) : place.cwd;
      return {
        path: join(dir, NAMES.findLast((name) => exists(join(dir, name))) ?? 'opencode.json'),
        entryFor: ({ name }) => ({ kind: 'key', at: ['permission', 'skill', name], value: 'deny' }),
      };
    },
  },
  shownIn(place, scope) {
    const shared = sharedFolder(place, scope);
    // A variable may keep it from reading what other programs share.
    if (opencodeRoots(place).some(({ path }) => path === shared)) return shared;
    return scope === 'user' ? join(opencodeFolder(place), 'skills') : join(place.cwd, '.opencode', 'skills');
  },
  countsLinks: true,
  history: opencodeHistory,
  hook: opencodeHook,
});
