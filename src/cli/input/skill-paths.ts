import { existsSync } from 'node:fs';
import { resolve } from 'node:path';

import type { Invocation } from '../command.ts';
import { openEngine } from '../open-engine.ts';

/**
 * The folders that the arguments mean. A path that exists counts as it is; another word means the skills with this name
 * or id, or those that a glob selects. What means nothing stays a path, so that the command says it is not there.
 */
export async function resolveSkillPaths(invocation: Invocation): Promise<readonly string[]> {
  const { args, cwd } = invocation;
  const isPath = (word: string): boolean => word.includes('/') || existsSync(resolve(cwd, word));
  if (args.every(isPath)) return args.map((path) => resolve(cwd, path));
  await using engine = await openEngine(invocation);
  const meant = args.flatMap((word) => {
    const dirs = isPath(word)
      ? []
      : engine
          .only([word])
          .catalog()
          .skills.map(({ dir }) => dir);
    return dirs.length === 0 ? [resolve(cwd, word)] : dirs;
  });
  return [...new Set(meant)];
}
