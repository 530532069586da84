import type { JSX } from 'preact';

import { change } from '../../lib/api.ts';
import { notify, notifyFailure } from '../../lib/notices.ts';
import { useSession } from '../../lib/session.ts';
import { useRead } from '../../lib/use-read.ts';
import { visible } from '../../lib/visible-text.ts';
import { counted } from '../../lib/words.ts';
import { DiffView } from '../../parts/diff-view.tsx';

/** Shows what has one right form as a diff, and writes it. */
export function FixPanel({ name }: { readonly name: string }): JSX.Element | null {
  const { isReadOnly } = useSession();
  const { value } = useRead('skill/fix', { name });
  if (value === undefined || (value.fixes.length === 0 && value.left.length === 0)) return null;
  return (
    <section class="stack" aria-label="Fix">
      {value.fixes.length > 0 && (
        <>
          <div class="head">
            <h2>{counted(value.fixes.length, 'fix', 'fixes')} can be applied</h2>
            {!isReadOnly && (
              <button type="button" class="main" onClick={() => void apply(name)}>
                Apply
              </button>
            )}
          </div>
          <p class="muted">{visible(value.fixes.map(({ message }) => message).join('; '))}</p>
          <DiffView diff={value.diff} label="What the fix changes" />
        </>
      )}
      {value.left.map(({ message }) => (
        <p key={message} class="warn">
          Fix by hand: {visible(message)}
        </p>
      ))}
    </section>
  );
}

async function apply(name: string): Promise<void> {
  const answer = await change('skill/fix', { name });
  if (!answer.ok) notifyFailure(answer.failure);
  else
    notify({
      kind: 'done',
      text: `Fixed ${name}.`,
      detail: answer.value.fixes.map(({ message }) => message).join('; '),
    });
}
