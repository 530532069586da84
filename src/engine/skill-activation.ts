import { createHash } from 'node:crypto';

import type { LoadedSkill } from '../activate/loader.ts';
import type { Activation } from '../disclose/activation-ledger.ts';
import { estimateTokens } from '../disclose/tokens.ts';
import { now } from '../platform/clock.ts';

/** What a ledger keeps of a skill that is loaded now, and put into a conversation as this text. */
export function toActivation({ skill, raw }: LoadedSkill, text: string): Activation {
  return { name: skill.name, digest: digestOf(raw), tokens: estimateTokens(text), at: now() };
}

/** The digest that the file has in the list of the skill's files, too. */
function digestOf(raw: string): string {
  return `sha256:${createHash('sha256').update(raw).digest('hex')}`;
}
