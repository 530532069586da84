import type { AgentFact, SkillRow } from './answers.ts';

/**
 * The state of a cell. `still`: listed although it is kept from the agent. `lost`: not visible although it was given, or although it lies in a folder of the agent.
 * `stuck`: listed, and only the agent or its folder can change that. `empty`: it can be given. `fixed`: nothing to change here.
 */
export type CellKind = 'listed' | 'named' | 'stuck' | 'still' | 'lost' | 'empty' | 'fixed';

export interface Cell {
  readonly kind: CellKind;
  /** The state in words. */
  readonly word: string;
  readonly because: string | undefined;
}

export const CELL_SIGNS: Readonly<Record<CellKind, string>> = {
  listed: '✓',
  named: '◐',
  stuck: '✓',
  still: '!',
  lost: '!',
  empty: '–',
  fixed: '–',
};

/** As it comes from the server, where a cell leaves out what is false. */
type SeenCell = Pick<AgentFact, 'standing'> &
  Partial<Pick<AgentFact, 'because' | 'isWished' | 'isKept' | 'canGive' | 'isStuck'>>;

/** The state of a skill for an agent, and whether a person can change it. */
export function toCell(
  cell: SeenCell | null | undefined,
  skill: Pick<SkillRow, 'state' | 'shadowedBy' | 'missing'> | undefined,
): Cell {
  const because = cell?.because;
  const made = (kind: CellKind, word: string): Cell => ({ kind, word, because });
  if (cell === null || cell === undefined) return made('fixed', '');
  const { standing, isWished = false, isKept = false, isStuck = false, canGive = false } = cell;
  if (standing === 'described' || standing === 'named') {
    if (isKept) return made('still', 'still listed');
    const word = standing === 'named' ? 'name only' : 'listed';
    return isStuck ? made('stuck', word) : made(standing === 'named' ? 'named' : 'listed', word);
  }
  if (canGive) return made('empty', '');
  if (skill?.shadowedBy !== undefined) return made('fixed', '');
  if (standing === 'hidden') return made('fixed', 'hidden');
  if (skill?.missing !== undefined) return made('fixed', `needs ${skill.missing.join(', ')}`);
  if (skill?.state === 'unavailable' || skill?.state === 'disabled' || skill?.state === 'broken')
    return made('fixed', skill.state);
  return standing === 'lost' || isWished ? made('lost', 'not visible') : made('fixed', '');
}
