import type { ExitCode, Invocation } from '../command.ts';
import { forEachName, openManaged, shortCommit } from '../managing.ts';

export async function run(invocation: Invocation): Promise<ExitCode> {
  const installer = openManaged(invocation);
  return forEachName(invocation, async (name) => {
    const done = await installer.rollback(name);
    if (!done.ok) return done;
    const { before, after } = done;
    const line = `${name} is back at ${shortCommit(after.commit)}; it was at ${shortCommit(before.commit)}.`;
    const hint = invocation.renderHint(`\`hold ${name}\` keeps \`update\` away from it.`);
    return { ok: true, result: { name, before, after }, lines: before.held === true ? [line] : [line, hint] };
  });
}
