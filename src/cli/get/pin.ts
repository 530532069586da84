import { pin, unpin } from '../../author/pin.ts';
import type { ExitCode, Invocation } from '../command.ts';
import { forEachName } from '../managing.ts';

/** `pin` and `unpin`. */
export async function run(invocation: Invocation): Promise<ExitCode> {
  const { command, cwd, env, options } = invocation;
  const isPinned = command.name === 'manage pin';
  const state = isPinned ? 'pinned' : 'not pinned';
  return forEachName(invocation, async (name) => {
    const done = await (isPinned ? pin : unpin)(name, { cwd, env, project: options.has('project') });
    if (!done.ok) return done;
    const { skill, file, changed } = done;
    const line = changed ? `${skill.name} is ${state}: changed ${file}` : `${skill.name} is already ${state}.`;
    return { ok: true, result: { name: skill.name, pinned: skill.pinned, changed, file }, lines: [line] };
  });
}
