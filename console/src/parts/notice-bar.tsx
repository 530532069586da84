import type { JSX } from 'preact';

import { dismiss, notice } from '../lib/notices.ts';
import { visible } from '../lib/visible-text.ts';
import { Hint } from './hint.tsx';
import { Next } from './next.tsx';

/** Says what was just done, with Undo; or what could not be done, with what to do about it. */
export function NoticeBar(): JSX.Element {
  const shown = notice.value;
  return (
    <div class="notices" role="status" aria-live="polite">
      {shown !== undefined && (
        <div class={`notice ${shown.kind}`}>
          <div>
            <p>{visible(shown.text)}</p>
            {shown.next !== undefined && <Next step={shown.next} />}
            {shown.detail !== undefined && (
              <p class="muted">
                <Hint text={shown.detail} />
              </p>
            )}
          </div>
          {shown.undo !== undefined && (
            <button
              type="button"
              onClick={() => {
                dismiss();
                shown.undo?.();
              }}
            >
              Undo
            </button>
          )}
          <button type="button" class="plain" aria-label="Dismiss" onClick={dismiss}>
            ✕
          </button>
        </div>
      )}
    </div>
  );
}
