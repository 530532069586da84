/** The `code` of a system error; undefined for anything else. */
export function systemCode(error: unknown): string | undefined {
  if (!(error instanceof Error) || !('code' in error)) return undefined;
  return typeof error.code === 'string' ? error.code : undefined;
}

/** Runs a system call whose failure is expected; a failure without a system code is a bug and flies on. */
export function attempt<T>(call: () => T): { readonly value: T } | { readonly code: string } {
  try {
    return { value: call() };
  } catch (error) {
    const code = systemCode(error);
    if (code === undefined) throw error;
    return { code };
  }
}

/** What a system error means to a person. */
export function explainCode(code: string): string {
  return EXPLANATIONS[code] ?? code;
}

const EXPLANATIONS: Readonly<Record<string, string>> = {
  EACCES: 'permission denied',
  EPERM: 'permission denied',
  EEXIST: 'something else is there already',
  ENOENT: 'not found',
  ENOTDIR: 'not a directory',
  EISDIR: 'is a directory',
  ELOOP: 'is a link, or links go round in a circle',
  EMFILE: 'too many open files',
  ENFILE: 'too many open files',
  ENOSPC: 'no space left',
  EROFS: 'the file system is read-only',
  ENAMETOOLONG: 'the name is too long',
};
