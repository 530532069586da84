import { giveSkills, type GivenSkills, type GiveOptions, type GivingPlan } from '../engine/give-skills.ts';
import { isFull } from '../engine/list-changes.ts';
import type { Outcome } from '../model/outcome.ts';
import type { Invocation } from './command.ts';
import { canAsk, openQuestions } from './input/ask.ts';
import { describeFull } from './output/agent-facts.ts';

type Giver = Pick<Invocation, 'cwd' | 'env' | 'io' | 'isJson' | 'noteInterrupt' | 'options' | 'out'>;

/**
 * How commands give skills to agents. Agents whose skill list gets too long are named before it happens, and on a terminal a
 * question follows.
 */
export function givingOptions(
  invocation: Giver,
): Required<Pick<GiveOptions, 'cwd' | 'onWait' | 'confirm'>> & Pick<GiveOptions, 'env'> {
  const { cwd, env, isJson, out } = invocation;
  return {
    cwd,
    env,
    onWait: (message) => out.note(`Waiting: ${message}.`),
    confirm: async (plan) => {
      sayFull(plan, invocation);
      if (!plan.lists.some(isFull) || isJson || !canAsk(invocation)) return true;
      return openQuestions(invocation).confirm('Continue?', true);
    },
  };
}

/** Names the agents whose skill list gets too long. */
export function sayFull(
  { lists }: Pick<GivingPlan, 'lists'>,
  { isJson, out }: Pick<Invocation, 'isJson' | 'out'>,
): void {
  if (!isJson) for (const line of describeFull(lists)) out.note({ text: line, style: 'yellow' });
}

/** Carries out which agents shall have skills. */
export function give(
  invocation: Giver,
  names: readonly string[] | 'all',
  options: Pick<GiveOptions, 'choose' | 'project' | 'confirm'> = {},
): Promise<Outcome<{ readonly given: GivenSkills }>> {
  return giveSkills(names, { ...givingOptions(invocation), ...options });
}
