import { isModelVisible, listVisible } from '../catalog/view.ts';
import type { Skill } from '../model/skill.ts';
import type { MatchReason } from '../select/trigger-match.ts';
import { readAbilityQuestion } from './ability-question.ts';
import { orderByNeed, type NeedOptions } from './keeping-order.ts';
import type { Tier } from './tiers.ts';

export interface TierOptions extends NeedOptions {
  /** How many triggered skills are shown with their instructions; 3 by default. */
  readonly maxSkills?: number | undefined;
}

export interface ChosenSkill {
  readonly skill: Skill;
  /** Why it was activated. */
  readonly reasons: readonly MatchReason[];
}

/** How much of the skills a message needs, and why, for people. */
export type TierChoice = { readonly why: string } & (
  | { readonly tier: Extract<Tier, 'none' | 'breadcrumb'> }
  | { readonly tier: 'catalog'; /** The skills to list; the others are counted. */ readonly listed: readonly Skill[] }
  | {
      readonly tier: 'instructions';
      readonly chosen: readonly ChosenSkill[];
      /** How many skills there are, if the message asks for all of them. */
      readonly outOf?: number;
    }
);

const DEFAULT_MAX_SKILLS = 3;
/** How many skills are shown if a message asks for all of them. */
const MAX_ALL_SKILLS = 10;

/** Chooses the tier for a user's message. Only skills that a model may use count. */
export function chooseTier(message: string, skills: readonly Skill[], options: TierOptions = {}): TierChoice {
  const { matches = [], maxSkills = DEFAULT_MAX_SKILLS } = options;
  const visible = listVisible(skills);
  if (visible.length === 0) return { tier: 'none', why: 'there are no skills' };
  if (message.trim() === '') return { tier: 'none', why: 'there is no message' };
  const question = readAbilityQuestion(message);
  if (question === 'abilities')
    return { tier: 'catalog', why: 'the message asks which skills there are', listed: visible };
  if (question === 'all') return chooseAll(visible, options);
  const chosen = matches.filter(({ skill }) => isModelVisible(skill)).slice(0, Math.max(0, maxSkills));
  if (chosen.length > 0) return { tier: 'instructions', why: 'the message matches triggers', chosen };
  return chooseUnmatched(visible);
}

/**
 * The tier if no skill matches. Skills with triggers are only counted, because they will match when needed. All others
 * must be listed: pinned skills, and skills without triggers.
 */
export function chooseUnmatched(visible: readonly Skill[]): TierChoice {
  const listed = visible.filter((skill) => skill.pinned || !hasOwnTriggers(skill));
  if (listed.length === 0) return { tier: 'breadcrumb', why: 'the message matches no trigger' };
  if (!visible.some(hasOwnTriggers)) return { tier: 'catalog', why: 'no skill has triggers', listed };
  return { tier: 'catalog', why: 'the message matches no trigger, and some skills have none or are pinned', listed };
}

function chooseAll(visible: readonly Skill[], options: TierOptions): TierChoice {
  const { order } = orderByNeed(visible, options);
  const first = order.slice(0, MAX_ALL_SKILLS).flatMap((at) => visible[at] ?? []);
  const chosen = first.map((skill) => ({ skill, reasons: [] }));
  return { tier: 'instructions', why: 'the message asks for all instructions', chosen, outOf: visible.length };
}

/** A keyword equal to the skill's name does not count, because names always match. */
function hasOwnTriggers({ name, triggers: { keywords, verbs, patterns }, globs }: Skill): boolean {
  const hasKeyword = keywords.some((keyword) => keyword.toLowerCase() !== name.toLowerCase());
  return hasKeyword || verbs.length + patterns.length + globs.length > 0;
}
