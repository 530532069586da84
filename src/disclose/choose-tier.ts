import { isModelVisible, listVisible } from '../catalog/view.ts';
import type { Skill } from '../model/skill.ts';
import type { MatchReason } from '../select/trigger-match.ts';
import { readAbilityQuestion } from './ability-question.ts';
import { orderByNeed, type NeedOptions } from './keeping-order.ts';
import type { Tier } from './tiers.ts';

export interface TierOptions extends NeedOptions {
  /** How many triggered skills give their instructions; 3. */
  readonly maxSkills?: number | undefined;
}

export interface ChosenSkill {
  readonly skill: Skill;
  /** What activated it. */
  readonly reasons: readonly MatchReason[];
}

/** How much of the skills a message needs, and why in plain words. */
export type TierChoice = { readonly why: string } & (
  | { readonly tier: Extract<Tier, 'none' | 'breadcrumb' | 'catalog'> }
  | {
      readonly tier: 'instructions';
      readonly chosen: readonly ChosenSkill[];
      /** How many skills there are, where somebody asked for all of them. */
      readonly outOf?: number;
    }
);

const DEFAULT_MAX_SKILLS = 3;
/** The instructions of all skills are more than any message needs. */
const MAX_ALL_SKILLS = 10;

/** The tier for a user's message. Only skills that a model may use count. */
export function chooseTier(message: string, skills: readonly Skill[], options: TierOptions = {}): TierChoice {
  const { matches = [], maxSkills = DEFAULT_MAX_SKILLS } = options;
  const visible = listVisible(skills);
  if (visible.length === 0) return { tier: 'none', why: 'there are no skills' };
  if (message.trim() === '') return { tier: 'none', why: 'there is no message' };
  const question = readAbilityQuestion(message);
  if (question === 'abilities') return { tier: 'catalog', why: 'the message asks what there is' };
  if (question === 'all') return chooseAll(visible, options);
  const chosen = matches.filter(({ skill }) => isModelVisible(skill)).slice(0, Math.max(0, maxSkills));
  if (chosen.length > 0) return { tier: 'instructions', why: 'the message matches triggers', chosen };
  return chooseUnmatched(visible);
}

/** The tier where no skill is for the message: triggers speak up in time, without any a model must know the skills. */
export function chooseUnmatched(skills: readonly Skill[]): TierChoice {
  if (skills.some(hasOwnTriggers)) return { tier: 'breadcrumb', why: 'the message matches no trigger' };
  return { tier: 'catalog', why: 'no skill has triggers' };
}

function chooseAll(visible: readonly Skill[], options: TierOptions): TierChoice {
  const { order } = orderByNeed(visible, options);
  const first = order.slice(0, MAX_ALL_SKILLS).flatMap((at) => visible[at] ?? []);
  const chosen = first.map((skill) => ({ skill, reasons: [] }));
  return { tier: 'instructions', why: 'the message asks for all skills', chosen, outOf: visible.length };
}

/** A keyword that is the skill's name says nothing that the name does not. */
function hasOwnTriggers({ name, triggers: { keywords, verbs, patterns }, globs }: Skill): boolean {
  const hasKeyword = keywords.some((keyword) => keyword.toLowerCase() !== name.toLowerCase());
  return hasKeyword || verbs.length + patterns.length + globs.length > 0;
}
