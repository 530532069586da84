import type { ExitCode, Invocation } from '../command.ts';
import { forEachName, openManaged, showChoice } from '../managing.ts';

export async function run(invocation: Invocation): Promise<ExitCode> {
  const installer = openManaged(invocation);
  return forEachName(invocation, async (name) => {
    const done = await installer.rollback(name);
    if (!done.ok) return done;
    const { before, after } = done;
    const line = `${name} is back at ${showChoice(after.origin)}; it was at ${showChoice(before.origin)}.`;
    const hint = invocation.renderHint(`\`hold ${name}\` keeps \`update\` away from it.`);
    return { ok: true, result: { name, before, after }, lines: before.held === true ? [line] : [line, hint] };
  });
}
