import { createContext, Fragment, type JSX } from 'preact';
import { useContext } from 'preact/hooks';

import { describeNext, type NextStep } from '../../../src/model/next-step.ts';
import { Hint } from './hint.tsx';

/** The button or link of a step, where the app has one. */
export const StepActions = createContext<(step: NextStep) => JSX.Element | null>(() => null);

/** The next step in words, with a button or link for each part that this app can do. */
export function Next({ step }: { readonly step: NextStep }): JSX.Element {
  const actionOf = useContext(StepActions);
  const steps = 'either' in step ? step.either : [step];
  return (
    <p class="muted">
      <Hint text={describeNext(step)} />
      {steps.map((one, at) => (
        <Fragment key={at}> {actionOf(one)}</Fragment>
      ))}
    </p>
  );
}
