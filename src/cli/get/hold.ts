import type { ExitCode, Invocation } from '../command.ts';
import { forEachName, openManaged, showChoice } from '../managing.ts';

/** `hold` and `unhold`. */
export async function run(invocation: Invocation): Promise<ExitCode> {
  const installer = openManaged(invocation);
  const isHeld = invocation.command.name === 'manage hold';
  return forEachName(invocation, async (name) => {
    const outcome = await (isHeld ? installer.hold(name) : installer.unhold(name));
    if (!outcome.ok) return outcome;
    const { origin, changed, file } = outcome;
    const done = isHeld
      ? `${name} stays at ${showChoice(origin)}. Updates skip it.`
      : `${name} is no longer on hold. Updates include it again.`;
    const already = isHeld ? `${name} is already on hold.` : `${name} is not on hold.`;
    const line = changed ? done : already;
    return { ok: true, result: { name, held: isHeld, changed, file }, lines: [line] };
  });
}
