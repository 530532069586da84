import { createContext, Fragment, type JSX } from 'preact';
import { useContext } from 'preact/hooks';

import { describeNext, type NextStep } from '../../../src/model/next-step.ts';
import { shortPaths } from '../lib/words.ts';
import { Hint } from './hint.tsx';

/** The button or link of a step, where the app has one. */
export type StepAction = (step: NextStep) => JSX.Element | null;
export const StepActions = createContext<StepAction>(() => null);

interface NextProps {
  readonly step: NextStep;
  /** The home directory, if paths in it are written with `~`. */
  readonly home?: string;
}

/** The next step: a button or link for each part that this app can do, and words for the others. */
export function Next({ step, home }: NextProps): JSX.Element {
  const { words, actions } = stepActions(step, useContext(StepActions));
  return (
    <p class="muted">
      {words.map((one, at) => (
        <Fragment key={at}>
          <Hint text={home === undefined ? describeNext(one) : shortPaths(describeNext(one), home)} />{' '}
        </Fragment>
      ))}
      {actions.map((action, at) => (
        <Fragment key={at}>{action} </Fragment>
      ))}
    </p>
  );
}

/** Divides a step into what has a button or link, and what is left to say. */
export function stepActions(
  step: NextStep,
  actionOf: StepAction,
): { readonly words: readonly NextStep[]; readonly actions: readonly JSX.Element[] } {
  const steps = 'either' in step ? step.either : [step];
  const drawn = steps.map((one) => ({ one, action: actionOf(one) }));
  return {
    words: drawn.filter(({ action }) => action === null).map(({ one }) => one),
    actions: drawn.flatMap(({ action }) => action ?? []),
  };
}
