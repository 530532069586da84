import type { SkillFolder } from '../../model/folder.ts';
import { fail } from '../../model/outcome.ts';
import type { FileContent } from '../digest.ts';

/** Files in memory as the folder of a skill. `name` is the folder's name. */
export function openFilesFolder(name: string, files: readonly FileContent[]): SkillFolder {
  const byPath = new Map(files.map((file) => [file.path, file]));
  return {
    dir: `/${name}`,
    state: () => 'directory',
    names: () => [...new Set([...byPath.keys()].map((path) => path.split('/', 1)[0] ?? path))].sort(),
    files: () => ({
      files: files.map(({ path, executable, bytes }) => ({ path, executable, size: bytes.length })),
      refused: [],
    }),
    read(path, maxBytes) {
      const file = byPath.get(path);
      if (file === undefined) return fail('RESOURCE_NOT_FOUND', 'File not found');
      return file.bytes.length > maxBytes
        ? fail('PATH_REFUSED', `it is larger than ${maxBytes} bytes`)
        : { ok: true, bytes: file.bytes };
    },
  };
}
