import type { SkillsSection, SkillsSettings } from '../model/config.ts';
import {
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
 * How a project's value affects the user's. It comes with a clone, so it never allows more: it `adds` to lists that switch
 * off or that name the project's own folders, `narrows` an allow-list (only what both lists allow counts), `tightens` a value
 * (the stricter counts), `arranges` the project's own copies of a skill, or is `ignored`.
 */
export type ProjectRule = 'adds' | 'narrows' | 'tightens' | 'arranges' | 'ignored';

/**
 * How the value of a program (`openSkills({ config })`) affects that of the files: it `adds` to it, `tightens` it (the stricter
 * counts), or `replaces` it.
 */
export type ProgramRule = 'adds' | 'tightens' | 'replaces';

/**
 * How an invalid value counts, so that a mistake never allows more than was meant. Lists that switch off keep every
 * name in them; lists that switch on or add keep only their good entries; an allow-list without a good entry allows nothing.
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
    description: '`false` switches every skill off.',
  },
  disabled: switchesOff(names, 'Skills that are switched off, whatever their source.'),
  enabledSkills: switchesOn(names, 'Skills to switch on although they are off by default.'),
  pinned: {
    type: names,
    default: [],
    project: 'adds',
    program: 'replaces',
    unreadable: 'keeps good entries',
    description: 'Skills to list for models always, as if they had `always_present`.',
  },
  preferred: {
    type: sourcesByName,
    default: {},
    project: 'arranges',
    program: 'adds',
    unreadable: 'is ignored',
    description: 'Which copy of a skill to use, by its name: the source whose copy wins, whatever the precedence.',
  },
  ignoredSkills: switchesOff(globs, 'Skills to leave out, by name.'),
  includeSkills: allowsOnly(globs, 'The only skills to use, by name; an empty list means all.'),
  customDirectories: {
    type: paths,
    default: [],
    project: 'adds',
    program: 'adds',
    unreadable: 'keeps good entries',
    description: 'More folders with skills. Those of a project must lie in it, and no variables expand in their paths.',
  },
  disabledSources: switchesOff(
    globs,
    "Sources to switch off: an id, an agent's name for all of its sources, or a glob.",
  ),
  enabledSources: switchesOn(globs, 'Sources to switch on although they are off by default.'),
  npmPackages: switchesOn(
    names,
    'npm packages whose skills are used where a project has them installed: the text of a dependency reaches the model.',
  ),
  privateHosts: switchesOn(
    names,
    'Hosts inside your network that addresses in files of a project or of other tools may lead to, such as `git.internal.example`.',
  ),
  disabledBundled: switchesOff(names, 'Bundled skills that are switched off.'),
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
    program: 'tightens',
    unreadable: 'counts as require',
    description: 'Run scripts in bubblewrap: never, where it works, or not at all without it.',
  },
  auditFailOn: {
    type: auditLimit,
    default: 'critical',
    project: 'ignored',
    program: 'tightens',
    unreadable: 'counts as info',
    description:
      'Findings of the audit that refuse to install, update, restore or trust a skill until you decide: `critical`, `high`, `medium`, `low`, `info` (that and worse), or `never`.',
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
      '`false` keeps no history of the skills that were used. `{ hosts: false }` keeps one, but reads nothing from the transcripts of other agents. `{ hub: true }` keeps one, and tells your hubs how often their skills are used: counts by week, version and agent, never any text; only you can switch that on.',
  },
  learn: {
    type: truth,
    default: false,
    project: 'tightens',
    program: 'replaces',
    unreadable: 'counts as false',
    description:
      '`true` learns from your use for which requests a skill serves, and lists it earlier. Only hashes of words are kept, on this machine, and can be erased. It needs the history of `usage`.',
  },
  hosts: {
    type: globsByHost,
    default: {},
    project: 'narrows',
    program: 'replaces',
    unreadable: 'is ignored',
    description:
      'Which of the enabled skills other agents see, by host: names and globs, of which the last that matches counts; `!` leaves skills out. A list that begins with `!` shows all others. `sync` carries it out, and does nothing while it is not valid.',
  },
  autoSync: {
    type: truth,
    default: false,
    project: 'ignored',
    program: 'replaces',
    unreadable: 'counts as false',
    description: '`true` syncs your hosts after every command that installs, updates, removes or switches skills.',
  },
  ranking: {
    type: rankingModel,
    default: {},
    project: 'ignored',
    program: 'replaces',
    unreadable: 'is ignored',
    description:
      'A model that also counts for the order of search results: `embeddings` names a server with the OpenAI protocol, such as `http://127.0.0.1:11434/v1`, its `model`, and the `key` if it needs one (`$NAME` takes it from the environment). The query, and the names and descriptions of skills, are sent there. Off unless you set it.',
  },
  userDir: ownFolder('~/.agent/skills', 'Your own skills.'),
  agentSkillsDir: ownFolder('~/.agent/skills', 'Where agents write their skills.'),
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
 * Switches of single sources, as other tools write them, and the sources they mean: `false` counts as an entry of
 * `disabledSources`, `true` as one of `enabledSources`. A wrong value counts as `false`.
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

/** Sources that are off, too, if every switch is off. */
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
