import type { ExitCode, Invocation } from '../command.ts';
import { forEachName, openManaged, showChoice } from '../managing.ts';

/** `hold` and `unhold`. */
export async function run(invocation: Invocation): Promise<ExitCode> {
  const installer = openManaged(invocation);
  const isHeld = invocation.command.name === 'manage hold';
  return forEachName(invocation, async (name) => {
    const done = await (isHeld ? installer.hold(name) : installer.unhold(name));
    if (!done.ok) return done;
    const { origin, changed, file } = done;
    const state = isHeld ? `held at ${showChoice(origin)}` : 'no longer held';
    const meaning = isHeld ? '`skillplane update` leaves it alone' : '`skillplane update` updates it again';
    const already = isHeld ? `${name} is already on hold.` : `${name} is not on hold.`;
    const line = changed ? `${name} is ${state}: ${meaning}.` : already;
    return { ok: true, result: { name, held: isHeld, changed, file }, lines: [line] };
  });
}
