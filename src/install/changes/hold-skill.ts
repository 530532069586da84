import { renderLock } from '../../config/lock-file.ts';
import type { Origin } from '../../model/origin.ts';
import { fail, type Outcome } from '../../model/outcome.ts';
import { withLocks, type HeldLock } from '../../platform/files/lock.ts';
import { makeChange } from '../../platform/files/pending-changes.ts';
import { accountFiles, INSTALL_PATIENCE } from '../install-place.ts';
import { readInstalled } from '../read-installed.ts';
import { planMoves } from './plan-moves.ts';
import type { ChangeContext } from './skill-change.ts';

export interface HeldSkill {
  readonly name: string;
  /** Where it came from, and what was chosen there. */
  readonly origin: Origin;
  /** False if it already was in this state. */
  readonly changed: boolean;
  /** The lock, which records it. */
  readonly file: string;
}

/** Records in the lock whether updates leave a skill alone. */
export async function holdSkill(name: string, isHeld: boolean, context: ChangeContext): Promise<Outcome<HeldSkill>> {
  const { environment, place, onWait } = context;
  const make = async ({ check }: HeldLock): Promise<Outcome<HeldSkill>> => {
    const read = readInstalled(place);
    if (!read.ok) return read;
    const known = read.skills.find((skill) => skill.name === name);
    if (known === undefined) return fail('STORE_FAILED', `another process removed "${name}" in the meantime`);
    const held = { name, origin: known.origin, changed: (known.held ?? false) !== isHeld, file: place.lockFile };
    if (!held.changed) return { ok: true, ...held };
    const text = renderLock(read.skills.map((skill) => (skill === known ? { ...skill, held: isHeld } : skill)));
    const planned = await planMoves([], [{ path: place.lockFile, text }], context);
    if (!planned.ok) return planned;
    const { moves, discard, prepared } = planned;
    const made = makeChange(environment.agentHome, { guards: accountFiles(place), moves, discard, prepared }, check);
    return made.ok ? { ok: true, ...held } : made;
  };
  return withLocks(accountFiles(place), make, { ...INSTALL_PATIENCE, onWait });
}
