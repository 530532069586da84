import { dirname, join, relative } from 'node:path';

import { AGENTS } from '../model/agents.ts';
import type { Environment } from '../platform/environment.ts';

/** The folder in which an agent keeps the settings and skills of its user: where a variable says, else in the home. */
export function agentFolder(
  agent: keyof typeof AGENTS,
  { home, variables }: Pick<Environment, 'home' | 'variables'>,
): string {
  const { user = '', movable } = AGENTS[agent];
  const folder = dirname(user.slice('~/'.length));
  if (movable === undefined) return join(home, folder);
  const { variable, base } = movable;
  return join(variables[variable] || join(home, base), relative(base, folder));
}
