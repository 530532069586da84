import type { LoadedSkill } from '../activate/loader.ts';
import { estimateTokens } from '../disclose/tokens.ts';
import { sha256Of } from '../parse/digest.ts';
import { now } from '../platform/clock.ts';
import type { Activation } from './activation-ledger.ts';

/** What a ledger keeps of a skill that is loaded now, and put into a conversation as this text. */
export function toActivation({ skill, raw }: LoadedSkill, text: string): Activation {
  return { name: skill.name, digest: sha256Of(raw), tokens: estimateTokens(text), at: now() };
}
