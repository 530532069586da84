import type { JSX } from 'preact';

import type { WireFailure } from '../../../src/http/wire.ts';
import { visible } from '../lib/visible-text.ts';
import { Next } from './next.tsx';

/** Why something cannot be shown, in the engine's own words. */
export function Trouble({ failure }: { readonly failure: WireFailure }): JSX.Element {
  return (
    <div class="trouble" role="alert">
      <p>{visible(failure.message)}</p>
      {failure.next !== undefined && <Next step={failure.next} />}
    </div>
  );
}
