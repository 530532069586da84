import { quoteWord } from '../../model/shell-word.ts';
import type { ExitCode, Invocation } from '../command.ts';
import { give } from '../giving.ts';
import { forEachName, openManaged, showChoice } from '../managing.ts';

export async function run(invocation: Invocation): Promise<ExitCode> {
  const installer = openManaged(invocation);
  return forEachName(invocation, async (name) => {
    const done = await installer.rollback(name);
    if (!done.ok) return done;
    const given = await give(invocation, [name], { project: invocation.options.has('project') });
    if (!given.ok) return given;
    const { before, after } = done;
    const line = `Rolled ${name} back from ${showChoice(before.origin)} to ${showChoice(after.origin)}.`;
    const hold = `To stay on this version, use \`skillplane manage hold ${quoteWord(name)}\`.`;
    return { ok: true, result: { name, before, after }, lines: before.held === true ? [line] : [line, hold] };
  });
}
