import { join, relative } from 'node:path';

import type { Environment } from '../platform/environment.ts';

/** A program with a folder that its user can move: `variable`, if it is set, stands for `base`. Paths are below the home. */
interface AgentFolder {
  readonly folder: string;
  readonly variable: string;
  readonly base: string;
}

export type MovableAgent = 'claude-code' | 'codex' | 'copilot' | 'gemini' | 'opencode';

/** Seen in Claude Code 2.1.325, Codex 0.166.0, Copilot 1.0.102, Gemini 0.61.0 and OpenCode 1.18.33. */
export const agentFolders: Readonly<Record<MovableAgent, AgentFolder>> = {
  'claude-code': { folder: '.claude', variable: 'CLAUDE_CONFIG_DIR', base: '.claude' },
  codex: { folder: '.codex', variable: 'CODEX_HOME', base: '.codex' },
  copilot: { folder: '.copilot', variable: 'COPILOT_HOME', base: '.copilot' },
  gemini: { folder: '.gemini', variable: 'GEMINI_CLI_HOME', base: '' },
  opencode: { folder: '.config/opencode', variable: 'XDG_CONFIG_HOME', base: '.config' },
};

/** The folder in which a program keeps the settings and skills of its user: where a variable says, else in the home. */
export function agentFolder(agent: MovableAgent, { home, variables }: Pick<Environment, 'home' | 'variables'>): string {
  const { folder, variable, base } = agentFolders[agent];
  return join(variables[variable] || join(home, base), relative(base, folder));
}
