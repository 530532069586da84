import { dirname, join, resolve, sep } from 'node:path';

import type { ContextFile } from '../model/context-file.ts';
import { MAX_CONTEXT_LENGTH, MAX_CONTEXT_LEVELS, MAX_RESOURCE_BYTES } from '../model/limits.ts';
import { decodeStrictly } from '../parse/decode.ts';
import { isFile, ownerOfFile, realPath } from '../platform/files/files.ts';
import { readInside } from '../platform/files/inside.ts';
import { projectDirectories } from '../platform/project.ts';

export interface ContextFileOptions {
  /** The user for whom to look: above the project, files of other users (except root) do not count. */
  readonly userId?: number | undefined;
}

/**
 * The AGENTS.md files from `cwd` upward, closest first; none in or below a hidden directory. A file may be a link, but
 * only to a file in its project, or above the project in its own directory.
 */
export function discoverContextFiles(cwd: string, { userId }: ContextFileOptions = {}): readonly ContextFile[] {
  const files: ContextFile[] = [];
  let dir = resolve(cwd);
  const projects = projectDirectories(dir);
  for (let depth = 0; depth < MAX_CONTEXT_LEVELS; depth += 1) {
    const path = join(dir, NAME);
    const level = projects.includes(dir) ? 'project' : 'user';
    const isTrusted = level === 'project' || isOwn(path, userId);
    if (!isHidden(dir) && isFile(path) && isTrusted) {
      const boundary = level === 'project' ? (projects.at(-1) ?? dir) : dir;
      files.push({ path, depth, level, ...readText(dir, boundary) });
    }
    const parent = dirname(dir);
    if (parent === dir) break;
    dir = parent;
  }
  return files;
}

const NAME = 'AGENTS.md';
const ROOT = 0;

function isHidden(dir: string): boolean {
  return dir.split(sep).some((segment) => segment.startsWith('.'));
}

function isOwn(path: string, userId: number | undefined): boolean {
  if (userId === undefined) return true;
  const owner = ownerOfFile(path);
  return owner === userId || owner === ROOT;
}

function readText(dir: string, boundary: string): Pick<ContextFile, 'text' | 'fault'> {
  const [realDir, realBoundary] = [realPath(dir), realPath(boundary)];
  if (realDir === undefined || realBoundary === undefined) return { text: '', fault: 'its directory is gone' };
  const below = realDir
    .slice(realBoundary.length)
    .split(sep)
    .filter((part) => part !== '');
  const path = [...below, NAME].join('/');
  const read = readInside(realBoundary, path, { maxBytes: MAX_RESOURCE_BYTES, within: 'its project' });
  if (!read.ok) return { text: '', fault: read.message };
  const text = decodeStrictly(read.bytes);
  if (text === undefined) return { text: '', fault: 'it is not valid UTF-8' };
  if (text.length <= MAX_CONTEXT_LENGTH) return { text };
  const fault = `only the first ${MAX_CONTEXT_LENGTH} of its ${text.length} characters are used`;
  return { text: text.slice(0, MAX_CONTEXT_LENGTH).toWellFormed(), fault };
}
