import { describeUnknown, anObject, aString, type ArgumentKind, type OptionKinds } from '../model/check-arguments.ts';
import type { SkillsSection, SkillsSettings } from '../model/config.ts';
import type { EnvironmentOptions } from '../platform/environment.ts';
import {
  agentsByDefault,
  auditLimit,
  count,
  globs,
  globsByHost,
  names,
  path,
  paths,
  plugins,
  rankingModel,
  sandboxPolicy,
  sourcesByName,
  time,
  truth,
  usageKept,
  type SettingType,
} from './setting-types.ts';

export type SettingName = keyof SkillsSettings;

export type SettingValue<Name extends SettingName> = NonNullable<SkillsSection[Name]>;

/** One setting of the `skills:` section. */
export interface Setting<Value = unknown> {
  readonly type: SettingType<Value>;
  /** Paths are written as in the file; `AGENT_HOME` replaces `~/.agent`. */
  readonly default: Value;
  readonly project: ProjectRule;
  readonly program: ProgramRule;
  readonly unreadable: UnreadableRule;
  readonly description: string;
}

/**
 * How a project's value affects the user's. It arrives with a clone, so it never allows more: it `adds` to disabling
 * lists and the project's own folders, `narrows` an allow-list to the common entries, `tightens` a value to the
 * stricter one, `arranges` the project's own copies of a skill, or is `ignored`.
 */
export type ProjectRule = 'adds' | 'narrows' | 'tightens' | 'arranges' | 'ignored';

/**
 * How the value of a program (`openSkills({ config })`) affects that of the files: it `adds` to it, `tightens` it (the stricter
 * counts), `decides` where no file has the setting and tightens it otherwise, or `replaces` it.
 */
export type ProgramRule = 'adds' | 'tightens' | 'decides' | 'replaces';

/**
 * How an invalid value is treated, so that an error never allows more than intended. Disabling lists keep every name in
 * them; enabling lists keep only valid entries; an allow-list without a valid entry allows nothing.
 */
export type UnreadableRule =
  | 'is ignored'
  | 'counts as false'
  | 'counts as require'
  | 'counts as info'
  | 'keeps every name'
  | 'keeps good entries'
  | 'allows good entries'
  | 'disables bad entries';

/** Every setting of `config.yaml`, in the order in which the documentation lists them. */
export const settingsTable: { readonly [Key in SettingName]: Setting<SettingValue<Key>> } = {
  enabled: {
    type: truth,
    default: true,
    project: 'tightens',
    program: 'tightens',
    unreadable: 'counts as false',
    description: '`false` disables every skill.',
  },
  disabled: switchesOff(names, 'Disabled skills, from any source.'),
  enabledSkills: switchesOn(names, 'Skills to enable although they are disabled by default.'),
  pinned: {
    type: names,
    default: [],
    project: 'adds',
    program: 'replaces',
    unreadable: 'keeps good entries',
    description: 'Skills that are always in the skill list, as if they had `always_present`.',
  },
  preferred: {
    type: sourcesByName,
    default: {},
    project: 'arranges',
    program: 'adds',
    unreadable: 'is ignored',
    description: 'Which copy of a skill to use: the source of the copy, by the name of the skill.',
  },
  ignoredSkills: switchesOff(globs, 'Skills to leave out, by name.'),
  includeSkills: allowsOnly(globs, 'The only skills to use, by name; an empty list means all.'),
  customDirectories: {
    type: paths,
    default: [],
    project: 'adds',
    program: 'adds',
    unreadable: 'keeps good entries',
    description:
      'More folders with skills. Those of a project must be inside it, and variables in their paths are not expanded.',
  },
  disabledSources: switchesOff(globs, "Sources to turn off: an id, an agent's name for all of its sources, or a glob."),
  enabledSources: switchesOn(globs, 'Sources to turn on although they are off by default.'),
  npmPackages: switchesOn(
    names,
    'npm packages whose skills are used in projects that have them installed. Models then read text from that dependency.',
  ),
  privateHosts: switchesOn(
    names,
    'Servers inside your network that lock files of projects and records of other tools may install from, such as `git.internal.example`.',
  ),
  disabledBundled: switchesOff(names, 'Disabled bundled skills.'),
  enabledBundled: allowsOnly(names, 'The only bundled skills to use; an empty list means all.'),
  enableSkillCommands: {
    type: truth,
    default: true,
    project: 'tightens',
    program: 'replaces',
    unreadable: 'counts as false',
    description: '`false` offers no slash commands (`/skill:<name>`) for skills.',
  },
  enableCommandFiles: {
    type: truth,
    default: true,
    project: 'tightens',
    program: 'tightens',
    unreadable: 'counts as false',
    description: '`false` offers no slash commands from the `commands` folders of agents (`.claude/commands/*.md`).',
  },
  maxSkills: {
    type: count,
    default: 3,
    project: 'tightens',
    program: 'replaces',
    unreadable: 'is ignored',
    description: 'How many skills one message may activate, the best matches first; 0 activates none.',
  },
  sandbox: {
    type: sandboxPolicy,
    default: 'auto',
    project: 'tightens',
    program: 'decides',
    unreadable: 'counts as require',
    description: 'Sandbox for scripts: `off`, `auto` (where one works) or `require` (run nothing without one).',
  },
  auditFailOn: {
    type: auditLimit,
    default: 'critical',
    project: 'ignored',
    program: 'decides',
    unreadable: 'counts as info',
    description:
      'Audit findings that need your approval before a skill is installed, updated, restored or trusted: `critical`, `high`, `medium`, `low`, `info` (that and worse), or `never`.',
  },
  scriptTimeout: {
    type: time,
    default: 60_000,
    project: 'tightens',
    program: 'replaces',
    unreadable: 'is ignored',
    description: 'How long a script may run: `500ms`, `60s`, `2m`, `1h`, or a number of milliseconds.',
  },
  usage: {
    type: usageKept,
    default: true,
    project: 'tightens',
    program: 'tightens',
    unreadable: 'counts as false',
    description:
      '`false` keeps no history of the skills that were used. `{ hosts: false }` keeps one, but reads nothing from the transcripts of other agents. `{ hub: true }` keeps one, and reports to your hubs how often their skills are used: counts by week, version and agent, never any text. Only you can turn that on.',
  },
  learn: {
    type: truth,
    default: false,
    project: 'tightens',
    program: 'replaces',
    unreadable: 'counts as false',
    description:
      '`true` learns which requests a skill was used for, and ranks it higher for similar ones. Stores only hashed words, on this machine; `skillplane usage` can forget them. Needs `usage`.',
  },
  likelyHints: {
    type: truth,
    default: false,
    project: 'ignored',
    program: 'replaces',
    unreadable: 'counts as false',
    description:
      '`true` lets the hook also suggest up to three likely skills when none is a clear match. The model decides.',
  },
  agents: {
    type: agentsByDefault,
    default: 'found',
    project: 'ignored',
    program: 'replaces',
    unreadable: 'keeps good entries',
    description:
      'The agents that get the skills that you install or write, such as `[claude-code, codex]`. `found` means those on this machine, an empty list none. `hosts` has the exceptions.',
  },
  hosts: {
    type: globsByHost,
    default: {},
    project: 'narrows',
    program: 'replaces',
    unreadable: 'is ignored',
    description:
      'Exceptions from `agents`, by agent: names and globs; the last match applies. `+` gives skills to the agent, `-` does not give them, and `!` hides them from it, in its own settings if necessary. A list that starts with a name has the only skills that it gets. `enable` and `disable` with `--agent` write it; while it is invalid, no skill is given.',
  },
  ranking: {
    type: rankingModel,
    default: {},
    project: 'ignored',
    program: 'replaces',
    unreadable: 'is ignored',
    description:
      'A model that also ranks search results: `embeddings` names a server that speaks the OpenAI protocol, such as `http://127.0.0.1:11434/v1`, its `model`, and the `key` if it needs one (`$NAME` takes it from the environment). The query, and the names and descriptions of skills, are sent to it. Off by default.',
  },
  userDir: ownFolder('~/.agent/skills', 'Your own skills.'),
  agentSkillsDir: ownFolder('~/.agent/skills', 'Where agents write their skills; by default `userDir`.'),
  pluginsDir: ownFolder('~/.agent/plugins', 'Where installed skills are kept.'),
  plugins: {
    type: plugins,
    default: [],
    project: 'ignored',
    program: 'replaces',
    unreadable: 'disables bad entries',
    description: 'Installed skills; installing and removing a skill updates this list.',
  },
};

/** Settings of earlier versions, which are ignored. */
export const RETIRED_SETTINGS: readonly string[] = ['autoSync'];

type NameList = SettingType<readonly string[]>;

/** A list of things that are off. */
function switchesOff(type: NameList, description: string): Setting<readonly string[]> {
  return { type, default: [], project: 'adds', program: 'adds', unreadable: 'keeps every name', description };
}

/** A list of things that are on although they are off by default. */
function switchesOn(type: NameList, description: string): Setting<readonly string[]> {
  return { type, default: [], project: 'ignored', program: 'adds', unreadable: 'keeps good entries', description };
}

/** A list of the only things that are on; if it is empty, all are. */
function allowsOnly(type: NameList, description: string): Setting<readonly string[]> {
  return { type, default: [], project: 'narrows', program: 'replaces', unreadable: 'allows good entries', description };
}

/** A folder of the user. */
function ownFolder(folder: string, description: string): Setting<string> {
  return {
    type: path,
    default: folder,
    project: 'ignored',
    program: 'replaces',
    unreadable: 'is ignored',
    description,
  };
}

export type SourceSwitch =
  | 'enableClaudeUser'
  | 'enableClaudeProject'
  | 'enableCodexUser'
  | 'enablePiUser'
  | 'enablePiProject';

/**
 * Settings that turn single sources on and off, as other tools write them: `false` means an entry in `disabledSources`,
 * `true` one in `enabledSources`. An invalid value means `false`.
 */
export const sourceSwitches: Readonly<Record<SourceSwitch, readonly string[]>> = {
  enableClaudeUser: ['claude-user'],
  enableClaudeProject: ['claude-project'],
  enableCodexUser: ['codex-user'],
  enablePiUser: ['pi-user', 'omp-user'],
  enablePiProject: ['pi-project', 'omp-project'],
};

// The table's type has exactly these keys.
// oxlint-disable-next-line typescript/no-unsafe-type-assertion
export const switchNames = Object.keys(sourceSwitches) as readonly SourceSwitch[];

/** Sources that are also off if all of these are. */
export const unswitchedSources: readonly string[] = ['agents', 'claude-plugins'];

export type SourceSwitches = { readonly [Name in SourceSwitch]?: boolean | undefined };

/** The sources that switches turn off and on. */
export function findSwitched(
  switches: SourceSwitches,
): Readonly<Record<'disabledSources' | 'enabledSources', readonly string[]>> {
  const sourcesThatAre = (isOn: boolean): readonly string[] =>
    switchNames.filter((name) => switches[name] === isOn).flatMap((name) => sourceSwitches[name]);
  const isAllOff = switchNames.every((name) => switches[name] === false);
  return {
    disabledSources: [...sourcesThatAre(false), ...(isAllOff ? unswitchedSources : [])],
    enabledSources: sourcesThatAre(true),
  };
}

export function isSetting(key: string): key is SettingName {
  return Object.hasOwn(settingsTable, key);
}

/** The names of all settings. */
// The table's type has exactly these keys.
// oxlint-disable-next-line typescript/no-unsafe-type-assertion
export const settingNames = Object.keys(settingsTable) as readonly SettingName[];

/** Settings that a program gives. They are arguments: a wrong one throws, while a wrong one in a file is a diagnostic. */
const SETTINGS: ArgumentKind = (value, subject) => {
  const fault = anObject(value, subject);
  if (fault !== undefined) return fault;
  for (const [name, given] of Object.entries(value ?? {})) {
    if (!isSetting(name)) return `${subject}: ${describeUnknown('setting', name, settingNames)}`;
    const { type }: Setting = settingsTable[name];
    const checked = given === undefined ? undefined : type.check(given);
    if (checked?.ok === false) {
      const [{ path: inner, message }] = checked.faults;
      return `${[subject, name, ...inner].join('.')} ${message}`;
    }
  }
  return undefined;
};

export const ENVIRONMENT_KINDS: OptionKinds<EnvironmentOptions> = {
  cwd: aString,
  home: aString,
  env: anObject,
  config: SETTINGS,
};
