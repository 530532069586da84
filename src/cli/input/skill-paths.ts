import { existsSync } from 'node:fs';
import { resolve } from 'node:path';

import { hideCredentials, looksLikeAddress } from '../../model/address.ts';
import type { Invocation } from '../command.ts';
import { openEngine } from '../open-engine.ts';
import { WrongUsage } from './options.ts';

/**
 * Folders for the arguments: an existing path, or every skill with this name or id or matching this glob. Anything else
 * stays a path, so that the command reports it as missing.
 */
export async function resolveSkillPaths(invocation: Invocation): Promise<readonly string[]> {
  const { args, cwd } = invocation;
  const isPath = (word: string): boolean => word.includes('/') || existsSync(resolve(cwd, word));
  if (args.every(isPath)) return args.map((path) => resolvePath(path, cwd));
  await using engine = await openEngine(invocation);
  const meant = args.flatMap((word) => {
    const dirs = isPath(word)
      ? []
      : engine
          .only([word])
          .catalog()
          .skills.map(({ dir }) => dir);
    return dirs.length === 0 ? [resolvePath(word, cwd)] : dirs;
  });
  return [...new Set(meant)];
}

/** A path that was typed. An address is wrong there, and its password must not become part of a path. */
export function resolvePath(text: string, cwd: string): string {
  if (looksLikeAddress(text)) throw new WrongUsage(`"${hideCredentials(text)}" is a URL, not a path`);
  return resolve(cwd, text);
}
