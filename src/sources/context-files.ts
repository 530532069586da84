import { dirname, join, resolve, sep } from 'node:path';

import { MAX_CONTEXT_LEVELS } from '../model/limits.ts';
import { isFile } from '../platform/files/files.ts';

/** An AGENTS.md file that applies to a working directory. */
export interface ContextFile {
  readonly path: string;
  /** 0 in the working directory itself, 1 in its parent, and so on. */
  readonly depth: number;
}

/** The AGENTS.md files from `cwd` upward, closest first; none in or below a hidden directory. */
export function discoverContextFiles(cwd: string): readonly ContextFile[] {
  const files: ContextFile[] = [];
  let dir = resolve(cwd);
  for (let depth = 0; depth < MAX_CONTEXT_LEVELS; depth += 1) {
    const path = join(dir, 'AGENTS.md');
    if (!isHidden(dir) && isFile(path)) files.push({ path, depth });
    const parent = dirname(dir);
    if (parent === dir) break;
    dir = parent;
  }
  return files;
}

function isHidden(dir: string): boolean {
  return dir.split(sep).some((segment) => segment.startsWith('.'));
}
