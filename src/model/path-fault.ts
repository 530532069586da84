/** Why a path is refused before any file is touched; undefined if it is fine. */
export function findPathFault(path: string): string | undefined {
  if (path === '') return 'is empty';
  if (path.includes('\0')) return 'contains a NUL character';
  if (path.includes('\\')) return 'contains a backslash; use /';
  if (path.startsWith('/') || /^[A-Za-z]:/.test(path)) return 'is absolute; it must be relative to the skill';
  const segments = path.split('/');
  if (segments.includes('..')) return 'leaves the skill with ".."';
  if (segments.includes('') || segments.includes('.')) return 'has an empty segment or "."';
  return undefined;
}

/** A path and the folders above it. For `a/b/c`: `a`, `a/b`, `a/b/c`. */
export function withFolders(path: string): readonly string[] {
  const segments = path.split('/');
  return segments.map((_, at) => segments.slice(0, at + 1).join('/'));
}
