import { once } from '../../model/once.ts';
import { HINT_MARK } from '../hint-mark.ts';
import type { HostHook } from './host-hook.ts';

/** A skill to tell a model of, and whether the host loads it by itself or through our MCP server. */
export interface HintedSkill {
  readonly name: string;
  readonly isSeen: boolean;
}

const THROUGH_SERVER = 'Call load_skill of the MCP server skillplane with it before anything else.';

/**
 * The text for the model. Transcripts are searched for it, so only names stand in backticks. Undefined if a name could be
 * taken for a sentence: names come from files that anybody may have written.
 */
export function writeHint(
  [first, second]: readonly HintedSkill[],
  { spell, loading }: Pick<HostHook, 'spell' | 'loading'>,
): string | undefined {
  if (first === undefined || ![first, second ?? first].every(({ name }) => plainName().test(name))) return undefined;
  const quote = ({ name, isSeen }: HintedSkill): string => `\`${isSeen ? spell(name) : name}\``;
  const way = (skill: HintedSkill): string => (skill.isSeen ? loading : THROUGH_SERVER);
  if (second === undefined) return `${HINT_MARK} The skill ${quote(first)} fits this request. ${way(first)}`;
  const each = way(first) === way(second) ? way(first) : `For ${quote(first)}: ${way(first)} Else: ${way(second)}`;
  return `${HINT_MARK} The skills ${quote(first)} and ${quote(second)} fit this request. Take the better one. ${each}`;
}

const plainName = once(() => /^[\p{L}\p{N}][\p{L}\p{N}._:-]{0,63}$/u);
