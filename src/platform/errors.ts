import { fail, type Failure, type Outcome } from '../model/outcome.ts';

/** A system error's `code`; undefined for other values. */
export function systemCode(error: unknown): string | undefined {
  if (!(error instanceof Error) || !('code' in error)) return undefined;
  return typeof error.code === 'string' ? error.code : undefined;
}

/** A system call that failed; `errno` is the system's own code, such as `ENOENT`. */
export interface SystemFailure extends Failure {
  readonly errno: string;
}

/** Runs a system call whose failure is expected. An error without a system code is a bug and is rethrown. */
export function attempt<T>(call: () => T): Outcome<{ readonly value: T }, SystemFailure> {
  try {
    return { ok: true, value: call() };
  } catch (error) {
    const errno = systemCode(error);
    if (errno === undefined) throw error;
    return { ...fail('STORE_FAILED', explainCode(errno)), errno };
  }
}

/** A system error code in words. */
export function explainCode(code: string): string {
  return EXPLANATIONS[code] ?? code;
}

const EXPLANATIONS: Readonly<Record<string, string>> = {
  EACCES: 'permission denied',
  EPERM: 'permission denied',
  EEXIST: 'something already exists there',
  ENOENT: 'not found',
  ENOTDIR: 'not a directory',
  EISDIR: 'is a directory',
  ELOOP: 'is a link, or part of a circle of links',
  EMFILE: 'too many open files',
  ENFILE: 'too many open files',
  ENOSPC: 'no space left',
  EROFS: 'the file system is read-only',
  ENAMETOOLONG: 'the name is too long',
};
