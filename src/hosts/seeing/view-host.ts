import { now } from '../../platform/clock.ts';
import type { Host, HostPlace } from '../host.ts';
import type { CatalogRequest, CatalogRoom, HostSkill, Reason } from './host-skill.ts';

/**
 * How an agent treats a skill. `described`: its model sees it with a description. `named`: by name only. `hidden`: kept
 * from the model on purpose, by a setting or by the skill itself. `lost`: not loaded, or the list is full.
 */
export type Standing = 'described' | 'named' | 'hidden' | 'lost';

/** A skill with what becomes of it, and why if that is less than everything. */
export interface SeenSkill extends Partial<Reason> {
  readonly skill: HostSkill;
  /** The name as the host's list has it, if that is not the skill's. */
  readonly label?: string | undefined;
  readonly standing: Standing;
  /** The part of the description that the model is shown. */
  readonly text: string;
}

/** Everything that a host makes of the skills in its folders. */
export interface HostView {
  readonly host: Host;
  /** Listed ones first, in the order of the host's list. */
  readonly skills: readonly SeenSkill[];
  readonly room?: CatalogRoom | undefined;
  /** Settings files that cannot be read, and other trouble that concerns no single skill. */
  readonly faults: readonly Reason[];
}

export type ViewOptions = Partial<CatalogRequest>;

/** Simulates how an agent reads its folders, settings and skill list. Runs and writes nothing. */
export function viewHost(host: Host, place: HostPlace, options: ViewOptions = {}): HostView {
  const found = host.discover(place);
  const switches = host.switch.read(place);
  const judged = found.map((skill) => ({
    skill,
    held: skill.loss === undefined ? switches.stateOf(skill) : undefined,
  }));
  const listed = judged.filter(({ skill, held }) => skill.loss === undefined && held?.state !== 'hidden');
  const catalog = host.listing.layOut(
    listed.map(({ skill, held }) => ({ skill, isNamed: held?.state === 'named' })),
    place,
    { now: now(), ...options },
  );
  const heldBack = new Map(listed.map(({ skill, held }) => [skill, held]));
  const seen = catalog.entries.map(({ skill, label, text, cut, isListed }): SeenSkill => {
    const standing = !isListed ? 'lost' : text === '' ? 'named' : 'described';
    return { skill, label, standing, text, ...reasonOf(heldBack.get(skill) ?? cut) };
  });
  const others = judged.flatMap(({ skill, held }): readonly SeenSkill[] => {
    if (skill.loss !== undefined) return [{ skill, standing: 'lost', text: '', ...reasonOf(skill.loss) }];
    return held?.state === 'hidden' ? [{ skill, standing: 'hidden', text: '', ...reasonOf(held) }] : [];
  });
  return { host, skills: [...seen, ...others], room: catalog.room, faults: switches.faults };
}

function reasonOf(reason: Reason | undefined): Partial<Reason> {
  return reason === undefined ? {} : { because: reason.because, next: reason.next };
}
