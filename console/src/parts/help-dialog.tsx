import type { JSX } from 'preact';
import { useEffect, useRef } from 'preact/hooks';

const KEYS: readonly (readonly [keys: string, meaning: string])[] = [
  ['/', 'Search'],
  ['j k', 'Next and previous row'],
  ['Enter', 'Open the row'],
  ['x', 'Select the row'],
  ['e', 'Enable or disable the row or the selected rows'],
  ['t', 'Trust the skill'],
  ['g s', 'Go to Skills'],
  ['g l', 'Go to Search lab'],
  ['g m', 'Go to Model view'],
  ['g u', 'Go to Usage'],
  ['g h', 'Go to Hosts'],
  ['g i', 'Go to Installed'],
  ['g d', 'Go to Health'],
  ['Esc', 'Back'],
  ['?', 'This help'],
];

/** The keys, in a dialog that any key closes. */
export function HelpDialog({ onClose }: { readonly onClose: () => void }): JSX.Element {
  const dialog = useRef<HTMLDialogElement>(null);
  useEffect(() => dialog.current?.showModal(), []);
  return (
    <dialog ref={dialog} onClose={onClose} aria-labelledby="help-title">
      <h2 id="help-title">Keys</h2>
      <dl class="keys">
        {KEYS.map(([keys, meaning]) => (
          <div key={keys}>
            <dt>
              {keys.split(' ').map((key) => (
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
