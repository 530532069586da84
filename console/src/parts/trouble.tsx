import type { JSX } from 'preact';

import type { WireFailure } from '../../../src/http/wire/skills.ts';
import { visible } from '../lib/visible-text.ts';
import { Hint } from './hint.tsx';

/** Why something cannot be shown, in the engine's own words. */
export function Trouble({ failure }: { readonly failure: WireFailure }): JSX.Element {
  return (
    <div class="trouble" role="alert">
      <p>{visible(failure.message)}</p>
      {failure.hint !== null && (
        <p class="muted">
          <Hint text={failure.hint} />
        </p>
      )}
    </div>
  );
}
