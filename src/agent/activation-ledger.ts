import type { LoadedSkill } from '../activate/loader.ts';
import { estimateTokens } from '../disclose/tokens.ts';
import { fail, type Outcome } from '../model/outcome.ts';
import { sha256Of } from '../parse/digest.ts';
import { now } from '../platform/clock.ts';

/** A skill whose instructions are in a conversation. */
export interface Activation {
  readonly name: string;
  /** Of its SKILL.md at that time. */
  readonly digest: string;
  /** Of the text in the conversation. */
  readonly tokens: number;
  /** Milliseconds since 1970. */
  readonly at: number;
}

/** Which skills return to a compacted conversation; both lists newest first. */
export interface Restoration {
  /** Put these back now. */
  readonly restored: readonly Activation[];
  /** These exceed the budget; the agent can load them again. */
  readonly omitted: readonly Activation[];
}

/** A ledger as JSON. */
export interface SavedLedger {
  readonly version: typeof FORMAT;
  readonly activations: readonly Activation[];
}

const FORMAT = 1;

/** Remembers which skills are in one conversation, since when and in which version. */
export class ActivationLedger {
  /** By name, most recent last. */
  readonly #activations = new Map<string, Activation>();

  /** Restores a ledger from the result of `toJSON`, also across processes. */
  static from(saved: unknown): Outcome<{ readonly ledger: ActivationLedger }> {
    if (!isSavedLedger(saved)) return fail('STORE_FAILED', 'the saved ledger of skills has an unknown format');
    const ledger = new ActivationLedger();
    for (const activation of saved.activations) ledger.activate(activation);
    return { ok: true, ledger };
  }

  /** Records that a skill entered the conversation; this replaces an earlier record of it. */
  activate({ name, digest, tokens, at }: Activation): void {
    this.#activations.delete(name);
    this.#activations.set(name, { name, digest, tokens, at });
  }

  /** True if the conversation holds this version of the skill. */
  isActive(name: string, digest: string): boolean {
    return this.#activations.get(name)?.digest === digest;
  }

  /** Newest first. */
  list(): readonly Activation[] {
    return [...this.#activations.values()].toReversed().sort((a, b) => b.at - a.at);
  }

  /**
   * Call this after compacting the conversation, when it holds no skill any longer. Returns the skills to put back within a
   * budget of tokens, newest first; one that does not fit is skipped. The ledger then holds only the restored ones.
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

/** The record of a loaded skill that enters a conversation as `text`. */
export function activationOf({ skill, raw }: LoadedSkill, text: string): Activation {
  return { name: skill.name, digest: sha256Of(raw), tokens: estimateTokens(text), at: now() };
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
