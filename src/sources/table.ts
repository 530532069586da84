import { join, resolve } from 'node:path';

import type { Source } from '../model/source.ts';
import type { Environment } from '../platform/environment.ts';
import { agentFolder, agentFolders, type MovableAgent } from './agent-folders.ts';

/** A row of the table of places. `place` starts with `./` (project) or `~/` (home), or names a setting. */
export interface SourceRow extends Source {
  readonly place: string;
  /** Off unless `enabledSources` names it. */
  readonly isDefault: boolean;
  /** The program in whose folder it lies, if users can move that folder. */
  readonly movable?: MovableAgent | undefined;
}

/** Every place where agents keep skills. A new agent is a row here, not code. */
export const sourceTable: readonly SourceRow[] = [
  row('plugin', '{pluginsDir}', { group: 'Plugin', level: 'user', priority: 100 }),
  row('project', './.agent/skills', { group: 'Project', level: 'project', priority: 90, requireDescription: true }),
  row('agents-project', './.agents/skills', { group: 'Agents', level: 'project', priority: 85 }),
  row('claude-project', './.claude/skills', { group: 'Claude', level: 'project', priority: 80 }),
  row('codex-project', './.codex/skills', { group: 'Codex', level: 'project', priority: 75 }),
  row('user', '{userDir}', { group: 'User', level: 'user', priority: 60, requireDescription: true }),
  row('agent-written', '{agentSkillsDir}', {
    group: 'Agent-written',
    level: 'user',
    priority: 58,
    requireDescription: true,
  }),
  row('agents-user', '~/.agents/skills', { group: 'Agents', level: 'user', priority: 55 }),
  row('claude-user', '~/.claude/skills', { group: 'Claude', level: 'user', priority: 50, movable: 'claude-code' }),
  row('claude-plugins', '~/.claude/plugins', {
    group: 'Claude Plugin',
    level: 'user',
    priority: 45,
    layout: 'tree',
    movable: 'claude-code',
  }),
  row('codex-user', '~/.codex/skills', { group: 'Codex', level: 'user', priority: 40, movable: 'codex' }),
  ...agent('amp', 'Amp', undefined, '~/.config/agents/skills'),
  ...agent('antigravity', 'Antigravity', undefined, '~/.gemini/antigravity/skills'),
  ...agent('augment', 'Augment', './.augment/skills', '~/.augment/skills'),
  ...agent('continue', 'Continue', './.continue/skills', '~/.continue/skills'),
  ...agent('crush', 'Crush', './.crush/skills', '~/.config/crush/skills'),
  ...agent('cursor', 'Cursor', './.cursor/skills', '~/.cursor/skills'),
  ...agent('devin', 'Devin', './.devin/skills', '~/.config/devin/skills'),
  ...agent('droid', 'Droid', './.factory/skills', '~/.factory/skills'),
  ...agent('gemini', 'Gemini', './.gemini/skills', '~/.gemini/skills', 'gemini'),
  ...agent('github', 'GitHub', './.github/skills', '~/.copilot/skills', 'copilot'),
  ...agent('goose', 'Goose', './.goose/skills', '~/.config/goose/skills'),
  ...agent('grok', 'Grok', './.grok/skills', '~/.grok/skills'),
  ...agent('hermes', 'Hermes', './.hermes/skills', '~/.hermes/skills'),
  ...agent('junie', 'Junie', './.junie/skills', '~/.junie/skills'),
  ...agent('kilo', 'Kilo', './.kilo/skills', '~/.kilo/skills'),
  ...agent('kiro', 'Kiro', './.kiro/skills', '~/.kiro/skills'),
  ...agent('omp', 'Oh My Pi', './.omp/skills', '~/.omp/agent/skills'),
  ...agent('openclaw', 'OpenClaw', './skills', '~/.openclaw/skills'),
  ...agent('opencode', 'OpenCode', './.opencode/skills', '~/.config/opencode/skills', 'opencode'),
  ...agent('openhands', 'OpenHands', './.openhands/skills', '~/.openhands/skills'),
  ...agent('pi', 'Pi', './.pi/skills', '~/.pi/agent/skills'),
  ...agent('planck', 'Planck', './.planck/skills', '~/.planck/skills'),
  ...agent('qoder', 'Qoder', './.qoder/skills', '~/.qoder/skills'),
  ...agent('qwen', 'Qwen', './.qwen/skills', '~/.qwen/skills'),
  ...agent('roo', 'Roo', './.roo/skills', '~/.roo/skills'),
  ...agent('trae', 'Trae', './.trae/skills', '~/.trae/skills'),
  ...agent('vibe', 'Vibe', './.vibe/skills', '~/.vibe/skills'),
  ...agent('windsurf', 'Windsurf', './.windsurf/skills', '~/.codeium/windsurf/skills'),
  ...agent('zencoder', 'Zencoder', './.zencoder/skills', '~/.zencoder/skills'),
  row('npm-project', './node_modules/{npmPackages}', { group: 'npm', level: 'project', priority: 20 }),
  row('bundled', '{bundled}', { group: 'Bundled', level: 'bundled', priority: 10 }),
];

/** The directory of a row in the home: where its program looks, even if its user has moved that folder. */
export function placeAtHome({ place, movable }: SourceRow, { cwd, home, variables }: Environment): string {
  if (movable === undefined) return join(home, place.slice(2));
  const inside = place.slice(`~/${agentFolders[movable].folder}/`.length);
  return resolve(cwd, agentFolder(movable, { home, variables }), inside);
}

/** The source of one entry of `customDirectories`. */
export function customSource(index: number, level: Source['level']): Source {
  return {
    id: `custom:${index}`,
    group: 'Custom',
    level,
    priority: 30,
    requireDescription: true,
    layout: 'skills',
  };
}

type Traits = Pick<Source, 'group' | 'level' | 'priority'> & Partial<Source> & Pick<SourceRow, 'movable'>;

function row(id: string, place: string, traits: Traits): SourceRow {
  return { id, place, requireDescription: false, layout: 'skills', isDefault: true, ...traits };
}

function agent(
  id: string,
  group: string,
  project: string | undefined,
  user: string,
  movable?: MovableAgent,
): readonly SourceRow[] {
  const home = { ...row(`${id}-user`, user, { group, level: 'user', priority: 35, movable }), isDefault: false };
  if (project === undefined) return [home];
  return [{ ...row(`${id}-project`, project, { group, level: 'project', priority: 70 }), isDefault: false }, home];
}
