import type { FolderState, RefusedEntry, SkillFolder } from '../../src/model/folder.ts';
import { fail } from '../../src/model/outcome.ts';

export interface MemoryFolderOptions {
  readonly dir?: string;
  readonly state?: FolderState;
  /** Paths whose executable bit is set. */
  readonly executable?: readonly string[];
  readonly refused?: readonly RefusedEntry[];
}

/** A skill's folder in memory; it lists its files in the given order. */
export function memoryFolder(
  files: Readonly<Record<string, string | Uint8Array>>,
  { dir = '/skills/demo', state = 'directory', executable = [], refused = [] }: MemoryFolderOptions = {},
): SkillFolder {
  const contents = new Map(Object.entries(files).map(([path, content]) => [path, Buffer.from(content)]));
  return {
    dir,
    state: () => state,
    names: () => [...new Set([...contents.keys()].map((path) => path.split('/', 1)[0] ?? path))].sort(),
    files: () => ({
      files: [...contents].map(([path, { length }]) => ({
        path,
        size: length,
        executable: executable.includes(path),
      })),
      refused,
    }),
    read(path, maxBytes) {
      const bytes = contents.get(path);
      if (bytes === undefined) return fail('RESOURCE_NOT_FOUND', 'File not found');
      return bytes.length > maxBytes
        ? fail('PATH_REFUSED', `it is larger than ${maxBytes} bytes`)
        : { ok: true, bytes };
    },
  };
}
