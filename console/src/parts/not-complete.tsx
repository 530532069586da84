import type { JSX } from 'preact';

import type { RankingGap } from '../lib/answers.ts';
import { visible } from '../lib/visible-text.ts';

/** Says what did not count for a ranking; nothing if everything did. */
export function NotComplete({ gaps }: { readonly gaps: readonly RankingGap[] }): JSX.Element {
  return (
    <div role="status">
      {gaps.map(({ missing, reason }) => (
        <p key={missing} class="muted not-complete">
          Not complete: {visible(reason)}.
        </p>
      ))}
    </div>
  );
}
