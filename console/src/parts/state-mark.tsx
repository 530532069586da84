import type { JSX } from 'preact';

import type { RowState } from '../lib/answers.ts';

const MARKS: Readonly<Record<RowState, string>> = {
  enabled: '✓',
  disabled: '○',
  unavailable: '✗',
  broken: '!',
  shadowed: '·',
};

/** A state as a sign with its word, which a screen reader says. */
export function StateMark({ state }: { readonly state: RowState }): JSX.Element {
  return (
    <span class={`mark ${state}`} title={state}>
      <span aria-hidden="true">{MARKS[state]}</span>
      <span class="unseen">{state}</span>
    </span>
  );
}
