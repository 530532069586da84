import { type FileChange, SkillInstaller } from '../install.ts';
import type { Invocation } from './command.ts';
import type { Output } from './output/output.ts';

/** The invocation of an action of `manage`, with its name argument. */
export interface Managing extends Invocation {
  readonly name: string | undefined;
}

/** Opens the installer of the user's plugins, or of the project's with `--project`. */
export function openManaged({ cwd, options }: Invocation): SkillInstaller {
  return new SkillInstaller({ cwd, scope: options.has('project') ? 'project' : 'user' });
}

export function shortCommit(commit: string | undefined): string {
  return commit === undefined ? 'no commit' : commit.slice(0, 12);
}

const MARKS = { added: '+', removed: '-', changed: '~', mode: 'x' } as const;

export function printChanges(changes: readonly FileChange[], out: Output): void {
  for (const { kind, path } of changes) out.line(`    ${MARKS[kind]} `, path);
}
