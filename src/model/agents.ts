/** The file in which an MCP client lists its servers. */
export interface McpClient {
  readonly format: 'json' | 'toml';
  /** The key that holds the servers. */
  readonly section: string;
  /**
   * The user's file. `{folder}` is the folder beside the agent's skills, `{variable}` the folder that its variable names or else the home, and
   * `{applications}` the place where programs with a window keep their settings.
   */
  readonly userFile: `${'~' | '{folder}' | '{variable}' | '{applications}'}/${string}`;
  /** The project's file; absent if the client has settings of its user alone. */
  readonly projectFile?: `./${string}`;
  readonly entry?: McpEntry;
}

/** How the entry of a server differs from `{ command, args }` and `{ url }`. */
export interface McpEntry {
  /** The words for the kinds of connection, if the entry names its kind. */
  readonly type?: { readonly stdio: string; readonly http: string };
  /** Another key for the URL. */
  readonly url?: string;
  /** Are the command and its arguments one list? */
  readonly isOneList?: true;
  /** Keys that every entry has. */
  readonly also?: Readonly<Record<string, unknown>>;
}

/** The facts about an agent program that every layer may use. */
export interface AgentRow {
  /** Its name for people. */
  readonly title: string;
  /** Its two-letter mark, unique among agents. */
  readonly mark: string;
  /** Its skills folder in a project. */
  readonly project?: `./${string}`;
  /** Its skills folder in the home directory, next to its settings. */
  readonly user?: `~/${string}`;
  /** The priorities of its sources, if they are not those of most agents. Its folder in projects is then on by default. */
  readonly priority?: { readonly project: number; readonly user: number };
  /** How its sources are called, if not by its id and title. */
  readonly sources?: { readonly id: string; readonly group: string };
  /**
   * Environment variable that moves the folder of its settings and skills: if set, it replaces `base` below the home
   * directory.
   */
  readonly movable?: { readonly variable: string; readonly base: string };
  /** The command that starts it. An agent with one is a host: `hosts/agents/` has a file with its rules. */
  readonly program?: string;
  readonly mcp?: McpClient;
}

/**
 * Every agent program that we know. To add one, add a row: its sources, its id in settings and commands, and its place in the
 * reference follow from it. Hosts come first, in the order in which they are listed everywhere. Folders that can be moved were
 * seen in the versions that the files in `hosts/agents/` name.
 */
const TABLE = {
  'claude-code': {
    title: 'Claude Code',
    mark: 'Cl',
    project: './.claude/skills',
    user: '~/.claude/skills',
    priority: { project: 80, user: 50 },
    sources: { id: 'claude', group: 'Claude' },
    movable: { variable: 'CLAUDE_CONFIG_DIR', base: '.claude' },
    program: 'claude',
    mcp: {
      format: 'json',
      section: 'mcpServers',
      userFile: '{variable}/.claude.json',
      projectFile: './.mcp.json',
      entry: { type: { stdio: 'stdio', http: 'http' } },
    },
  },
  codex: {
    title: 'Codex',
    mark: 'Cx',
    project: './.codex/skills',
    user: '~/.codex/skills',
    priority: { project: 75, user: 40 },
    movable: { variable: 'CODEX_HOME', base: '.codex' },
    program: 'codex',
    mcp: {
      format: 'toml',
      section: 'mcp_servers',
      userFile: '{folder}/config.toml',
      projectFile: './.codex/config.toml',
    },
  },
  cursor: {
    title: 'Cursor',
    mark: 'Cu',
    project: './.cursor/skills',
    user: '~/.cursor/skills',
    program: 'cursor-agent',
    mcp: {
      format: 'json',
      section: 'mcpServers',
      userFile: '~/.cursor/mcp.json',
      projectFile: './.cursor/mcp.json',
    },
  },
  copilot: {
    title: 'Copilot',
    mark: 'Co',
    project: './.github/skills',
    user: '~/.copilot/skills',
    sources: { id: 'github', group: 'GitHub' },
    movable: { variable: 'COPILOT_HOME', base: '.copilot' },
    program: 'copilot',
    mcp: {
      format: 'json',
      section: 'mcpServers',
      userFile: '{folder}/mcp-config.json',
      projectFile: './.mcp.json',
      entry: { type: { stdio: 'local', http: 'http' }, also: { tools: ['*'] } },
    },
  },
  gemini: {
    title: 'Gemini',
    mark: 'Ge',
    project: './.gemini/skills',
    user: '~/.gemini/skills',
    movable: { variable: 'GEMINI_CLI_HOME', base: '' },
    program: 'gemini',
    mcp: {
      format: 'json',
      section: 'mcpServers',
      userFile: '{folder}/settings.json',
      projectFile: './.gemini/settings.json',
      entry: { url: 'httpUrl' },
    },
  },
  opencode: {
    title: 'OpenCode',
    mark: 'Oc',
    project: './.opencode/skills',
    user: '~/.config/opencode/skills',
    movable: { variable: 'XDG_CONFIG_HOME', base: '.config' },
    program: 'opencode',
    mcp: {
      format: 'json',
      section: 'mcp',
      userFile: '{folder}/opencode.json',
      projectFile: './opencode.json',
      entry: { type: { stdio: 'local', http: 'remote' }, isOneList: true, also: { enabled: true } },
    },
  },
  amp: { title: 'Amp', mark: 'Am', user: '~/.config/agents/skills' },
  antigravity: { title: 'Antigravity', mark: 'Ag', user: '~/.gemini/antigravity/skills' },
  augment: { title: 'Augment', mark: 'Au', project: './.augment/skills', user: '~/.augment/skills' },
  bob: { title: 'IBM Bob', mark: 'Bo', project: './.bob/skills', user: '~/.bob/skills' },
  'claude-desktop': {
    title: 'Claude Desktop',
    mark: 'Cd',
    mcp: {
      format: 'json',
      section: 'mcpServers',
      userFile: '{applications}/Claude/claude_desktop_config.json',
    },
  },
  continue: { title: 'Continue', mark: 'Cn', project: './.continue/skills', user: '~/.continue/skills' },
  crush: { title: 'Crush', mark: 'Cr', project: './.crush/skills', user: '~/.config/crush/skills' },
  devin: { title: 'Devin', mark: 'De', project: './.devin/skills', user: '~/.config/devin/skills' },
  droid: { title: 'Droid', mark: 'Dr', project: './.factory/skills', user: '~/.factory/skills' },
  goose: { title: 'Goose', mark: 'Go', project: './.goose/skills', user: '~/.config/goose/skills' },
  grok: { title: 'Grok', mark: 'Gr', project: './.grok/skills', user: '~/.grok/skills' },
  hermes: { title: 'Hermes', mark: 'He', project: './.hermes/skills', user: '~/.hermes/skills' },
  junie: { title: 'Junie', mark: 'Ju', project: './.junie/skills', user: '~/.junie/skills' },
  kilo: { title: 'Kilo', mark: 'Kl', project: './.kilo/skills', user: '~/.kilo/skills' },
  kiro: { title: 'Kiro', mark: 'Kr', project: './.kiro/skills', user: '~/.kiro/skills' },
  omp: { title: 'Oh My Pi', mark: 'Om', project: './.omp/skills', user: '~/.omp/agent/skills' },
  openclaw: { title: 'OpenClaw', mark: 'Ow', project: './skills', user: '~/.openclaw/skills' },
  openhands: { title: 'OpenHands', mark: 'Oh', project: './.openhands/skills', user: '~/.openhands/skills' },
  pi: { title: 'Pi', mark: 'Pi', project: './.pi/skills', user: '~/.pi/agent/skills' },
  planck: { title: 'Planck', mark: 'Pl', project: './.planck/skills', user: '~/.planck/skills' },
  qoder: { title: 'Qoder', mark: 'Qo', project: './.qoder/skills', user: '~/.qoder/skills' },
  qwen: { title: 'Qwen', mark: 'Qw', project: './.qwen/skills', user: '~/.qwen/skills' },
  roo: { title: 'Roo', mark: 'Ro', project: './.roo/skills', user: '~/.roo/skills' },
  trae: { title: 'Trae', mark: 'Tr', project: './.trae/skills', user: '~/.trae/skills' },
  vibe: { title: 'Vibe', mark: 'Vi', project: './.vibe/skills', user: '~/.vibe/skills' },
  vscode: {
    title: 'VS Code',
    mark: 'Vs',
    mcp: {
      format: 'json',
      section: 'servers',
      userFile: '{applications}/Code/User/mcp.json',
      projectFile: './.vscode/mcp.json',
      entry: { type: { stdio: 'stdio', http: 'http' } },
    },
  },
  warp: { title: 'Warp', mark: 'Wa', project: './.warp/skills', user: '~/.warp/skills' },
  windsurf: {
    title: 'Windsurf',
    mark: 'Wi',
    project: './.windsurf/skills',
    user: '~/.codeium/windsurf/skills',
    mcp: {
      format: 'json',
      section: 'mcpServers',
      userFile: '~/.codeium/windsurf/mcp_config.json',
      entry: { url: 'serverUrl' },
    },
  },
  zencoder: { title: 'Zencoder', mark: 'Ze', project: './.zencoder/skills', user: '~/.zencoder/skills' },
} as const;

type AgentWith<Part extends object> = {
  [Id in keyof typeof TABLE]: (typeof TABLE)[Id] extends Part ? Id : never;
}[keyof typeof TABLE];

/** Agents known only by their skills folder. */
export type AgentId = AgentWith<{ readonly user: string }>;

/** Fully supported agents: skill list, settings, history and hook. */
export type HostId = AgentWith<{ readonly program: string }>;

/** Agents with a file that lists MCP servers. */
export type ClientName = AgentWith<{ readonly mcp: object }>;

export const AGENTS: Readonly<Record<keyof typeof TABLE, AgentRow>> = TABLE;

export const AGENT_IDS: readonly AgentId[] = idsOf().filter((id): id is AgentId => AGENTS[id].user !== undefined);

export const HOST_IDS: readonly HostId[] = idsOf().filter((id): id is HostId => AGENTS[id].program !== undefined);

/** The id that a text is; undefined if it is none. */
export function findHostId(text: string | undefined): HostId | undefined {
  return HOST_IDS.find((id) => id === text);
}

export const CLIENT_NAMES: readonly ClientName[] = idsOf()
  .filter((id): id is ClientName => AGENTS[id].mcp !== undefined)
  .toSorted();

/** The agent that a person means: by its id, title, program or sources, whatever the case. `claude` is Claude Code. */
export function findAgent(word: string): AgentId | undefined {
  const fold = (name: string): string => name.replaceAll(/[-_ ]/g, '').toLowerCase();
  const namesOf = (id: AgentId): readonly (string | undefined)[] => {
    const { title, program, sources } = AGENTS[id];
    return [id, title, program, sources?.id];
  };
  return AGENT_IDS.find((id) => namesOf(id).some((name) => name !== undefined && fold(name) === fold(word)));
}

function idsOf(): readonly (keyof typeof TABLE)[] {
  // The keys of an object that has no others.
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion
  return Object.keys(AGENTS) as (keyof typeof TABLE)[];
}
