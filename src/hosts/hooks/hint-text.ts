import { once } from '../../model/once.ts';
import { HINT_MARK } from '../hint-mark.ts';
import type { HostHook } from './host-hook.ts';

/** A skill to suggest, and whether the agent loads it itself or through our MCP server. */
export interface HintedSkill {
  readonly name: string;
  readonly isSeen: boolean;
}

/** Where the agent has its own name for the tool, the model knows only that name. */
const OUR_TOOL = 'load_skill of the MCP server skillplane';

/**
 * The text for the model. Transcripts are searched for it, so only names stand in backticks. Undefined if a name could be
 * taken for a sentence: names come from files that anybody may have written.
 */
export function writeHint(
  [first, second]: readonly HintedSkill[],
  hook: Pick<HostHook, 'spell' | 'loading' | 'loadTool'>,
): string | undefined {
  if (first === undefined || ![first, second ?? first].every(({ name }) => plainName().test(name))) return undefined;
  const { spell, loading, loadTool = OUR_TOOL } = hook;
  const quote = ({ name, isSeen }: HintedSkill): string => `\`${isSeen ? spell(name) : name}\``;
  const way = ({ name, isSeen }: HintedSkill): string =>
    isSeen ? loading : `Call ${loadTool} with name "${name}" before anything else, then follow it.`;
  if (second === undefined) return `${HINT_MARK} The skill ${quote(first)} covers this request. ${way(first)}`;
  const each = first.isSeen && second.isSeen ? loading : `For ${quote(first)}: ${way(first)} Else: ${way(second)}`;
  return `${HINT_MARK} The skills ${quote(first)} and ${quote(second)} cover this request. Take the better one. ${each}`;
}

/** The same for skills of which the model has to judge itself whether one fits. Names that could be sentences are left out. */
export function writeLikelyHint(
  skills: readonly HintedSkill[],
  { spell, loadTool = OUR_TOOL }: Pick<HostHook, 'spell' | 'loadTool'>,
): string | undefined {
  const plain = skills.filter(({ name }) => plainName().test(name));
  const way = plain.every(({ isSeen }) => isSeen) ? '' : ` with ${loadTool}`;
  return renderLikely(
    plain.map(({ name, isSeen }) => (isSeen ? spell(name) : name)),
    way,
  );
}

/** The note for a program whose agent has `load_skill`; undefined if no name can be told. */
export function writeNote(names: readonly string[], isSure: boolean): string | undefined {
  const plain = names.filter((name) => plainName().test(name));
  const [first, second] = plain;
  if (first === undefined || (isSure && plain.length < names.length)) return undefined;
  if (!isSure) return renderLikely(plain, ' with load_skill');
  if (second === undefined)
    return `${HINT_MARK} The skill \`${first}\` covers this request. Call load_skill with name "${first}" before anything else, then follow it.`;
  return `${HINT_MARK} The skills \`${first}\` and \`${second}\` cover this request. Call load_skill with the name of the better one before anything else, then follow it.`;
}

function renderLikely(names: readonly string[], way: string): string | undefined {
  if (names.length === 0) return undefined;
  const quoted = names.map((name) => `\`${name}\``).join(', ');
  const [these, one] = names.length === 1 ? ['This skill', 'it'] : ['These skills', 'one'];
  return `${HINT_MARK} ${these} may cover this request: ${quoted}. Load ${one}${way} if its description fits; otherwise ignore this note.`;
}

const plainName = once(() => /^[\p{L}\p{N}][\p{L}\p{N}._:-]{0,63}$/u);
