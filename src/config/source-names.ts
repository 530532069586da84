import { findMatch } from '../parse/globs.ts';

/** Is a source named? A name is a source (`claude-user`), an agent (`claude`, all its sources) or a glob (`*-project`). */
export function isSourceNamed(id: string, names: readonly string[]): boolean {
  return (
    names.some((name) => id.startsWith(`${name}-`) || id.startsWith(`${name}:`)) || findMatch(id, names) !== undefined
  );
}
