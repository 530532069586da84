import { type FileChange, SkillInstaller } from '../install.ts';
import type { Invocation } from './command.ts';
import type { Output } from './output.ts';

/** An action of `manage`, with the name it was given. */
export interface Managing extends Invocation {
  readonly name: string | undefined;
}

/** The installer of the user's plugins, or with `--project` of the project's. */
export function openManaged({ cwd, flags }: Invocation): SkillInstaller {
  return new SkillInstaller({ cwd, scope: flags.has('project') ? 'project' : 'user' });
}

/** A commit as people read it. */
export function shortCommit(commit: string | undefined): string {
  return commit === undefined ? 'no commit' : commit.slice(0, 12);
}

const MARKS = { added: '+', removed: '-', changed: '~', mode: 'x' } as const;

export function printChanges(changes: readonly FileChange[], out: Output): void {
  for (const { kind, path } of changes) out.line(`    ${MARKS[kind]} `, path);
}
