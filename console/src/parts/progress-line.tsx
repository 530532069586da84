import type { JSX } from 'preact';

import type { Progress } from '../../../src/http/wire.ts';
import { visible } from '../lib/visible-text.ts';

interface ProgressLineProps {
  readonly progress: Progress;
  readonly onCancel: () => void;
}

/** How far long work has come, with a way to stop it. */
export function ProgressLine({ progress: { step, percent }, onCancel }: ProgressLineProps): JSX.Element {
  return (
    <span class="progress" role="status">
      <progress aria-label={step} {...(percent === undefined ? {} : { value: percent, max: 100 })} />
      <span class="muted">{visible(step)}</span>
      <button type="button" onClick={onCancel}>
        Cancel
      </button>
    </span>
  );
}
