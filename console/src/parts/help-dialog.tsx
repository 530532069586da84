import type { JSX } from 'preact';
import { useEffect, useRef } from 'preact/hooks';

/** Keys with their meanings. */
export type KeyHelp = readonly (readonly [keys: string, meaning: string])[];

interface HelpDialogProps {
  readonly keys: KeyHelp;
  readonly onClose: () => void;
}

/** The keys, in a dialog that any key closes. */
export function HelpDialog({ keys, onClose }: HelpDialogProps): JSX.Element {
  const dialog = useRef<HTMLDialogElement>(null);
  useEffect(() => dialog.current?.showModal(), []);
  return (
    <dialog ref={dialog} onClose={onClose} aria-labelledby="help-title">
      <h2 id="help-title">Keys</h2>
      <dl class="keys">
        {keys.map(([pressed, meaning]) => (
          <div key={pressed}>
            <dt>
              {pressed.split(' ').map((key) => (
                <kbd key={key}>{key}</kbd>
              ))}
            </dt>
            <dd>{meaning}</dd>
          </div>
        ))}
      </dl>
      <form method="dialog">
        <button type="submit">Close</button>
      </form>
    </dialog>
  );
}
