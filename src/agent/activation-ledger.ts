import { fail, type Outcome } from '../model/outcome.ts';

/** A skill whose instructions were put into a conversation. */
export interface Activation {
  readonly name: string;
  /** Of its SKILL.md as it was put there. */
  readonly digest: string;
  /** Of the text that was put there. */
  readonly tokens: number;
  /** Milliseconds since 1970. */
  readonly at: number;
}

/** What becomes of the skills when a conversation is compacted; both newest first. */
export interface Restoration {
  /** To be put back now. */
  readonly restored: readonly Activation[];
  /** For these there is no room; whoever needs one loads it again. */
  readonly omitted: readonly Activation[];
}

/** A ledger as JSON keeps it. */
export interface SavedLedger {
  readonly version: typeof FORMAT;
  readonly activations: readonly Activation[];
}

const FORMAT = 1;

/** Knows which skills stand in one conversation, when they came there and as what. */
export class ActivationLedger {
  /** By name, the last recorded at the end. */
  readonly #activations = new Map<string, Activation>();

  /** The ledger that `toJSON` gave, be it from another process. */
  static from(saved: unknown): Outcome<{ readonly ledger: ActivationLedger }> {
    if (!isSavedLedger(saved)) return fail('STORE_FAILED', 'the saved ledger of skills cannot be understood');
    const ledger = new ActivationLedger();
    for (const activation of saved.activations) ledger.activate(activation);
    return { ok: true, ledger };
  }

  /** Records that a skill was put into the conversation; an earlier copy of it counts no more. */
  activate({ name, digest, tokens, at }: Activation): void {
    this.#activations.delete(name);
    this.#activations.set(name, { name, digest, tokens, at });
  }

  /** Does the conversation hold the skill as it is now? */
  isActive(name: string, digest: string): boolean {
    return this.#activations.get(name)?.digest === digest;
  }

  /** All that the conversation holds, newest first. */
  list(): readonly Activation[] {
    return [...this.#activations.values()].toReversed().sort((a, b) => b.at - a.at);
  }

  /**
   * To be called when the conversation was compacted, so that no skill is in it any more: says which to put back within
   * a budget of tokens. The newest come first; one that is too large leaves the room to those before it. From then on the
   * ledger holds what is restored.
   */
  compact(budget: number): Restoration {
    const restored: Activation[] = [];
    const omitted: Activation[] = [];
    let left = budget;
    for (const activation of this.list()) {
      const isFitting = activation.tokens <= left;
      if (isFitting) left -= activation.tokens;
      else this.#activations.delete(activation.name);
      (isFitting ? restored : omitted).push(activation);
    }
    return { restored, omitted };
  }

  toJSON(): SavedLedger {
    return { version: FORMAT, activations: [...this.#activations.values()] };
  }
}

function isSavedLedger(saved: unknown): saved is SavedLedger {
  if (typeof saved !== 'object' || saved === null || !('version' in saved && 'activations' in saved)) return false;
  return saved.version === FORMAT && Array.isArray(saved.activations) && saved.activations.every(isActivation);
}

function isActivation(entry: unknown): entry is Activation {
  if (typeof entry !== 'object' || entry === null) return false;
  const { name, digest, tokens, at }: Partial<Record<keyof Activation, unknown>> = entry;
  return typeof name === 'string' && typeof digest === 'string' && isCount(tokens) && isCount(at);
}

function isCount(value: unknown): value is number {
  return typeof value === 'number' && value >= 0 && Number.isFinite(value);
}
