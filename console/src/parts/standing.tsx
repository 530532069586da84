import type { JSX } from 'preact';

import type { HostStanding } from '../lib/answers.ts';

const WORDS: Readonly<Record<HostStanding, readonly [sign: string, words: string, kind: string]>> = {
  described: ['●', 'sees it', 'good'],
  named: ['◐', 'name only', 'warn'],
  hidden: ['○', 'hidden', 'muted'],
  lost: ['✗', 'lost', 'bad'],
  unseen: ['–', 'not there', 'muted'],
};

interface StandingProps {
  readonly standing: HostStanding;
  /** Shows the sign alone; a screen reader still says the words. */
  readonly isShort?: boolean;
}

/** How a host treats a skill. */
export function Standing({ standing, isShort = false }: StandingProps): JSX.Element {
  const [sign, words, kind] = WORDS[standing];
  return (
    <span class={kind}>
      <span aria-hidden="true">{sign}</span> <span class={isShort ? 'unseen' : ''}>{words}</span>
    </span>
  );
}
