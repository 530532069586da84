import type { JSX } from 'preact';

import { visible } from '../lib/visible-text.ts';
import { counted } from '../lib/words.ts';

/** More would keep a browser busy, and nobody reads them. */
const MOST_LINES = 2_000;

/** A unified diff, line by line, or its beginning. Signs as well as colours say what was added and removed. */
export function DiffView({ diff, label }: { readonly diff: string; readonly label: string }): JSX.Element {
  const lines = diff.replace(/\n$/, '').split('\n');
  const missing = lines.length - MOST_LINES;
  return (
    <pre class="diff" tabIndex={0} role="group" aria-label={label}>
      {lines.slice(0, MOST_LINES).map((line, at) => (
        <span key={at} class={kindOf(line)}>
          {line === '' ? ' ' : visible(line)}
        </span>
      ))}
      {missing > 0 && (
        <span class="meta">{`${counted(missing, 'more line')} ${missing === 1 ? 'is' : 'are'} not shown.`}</span>
      )}
    </pre>
  );
}

function kindOf(line: string): string {
  if (line.startsWith('+++') || line.startsWith('---') || line.startsWith('@@')) return 'meta';
  if (line.startsWith('+')) return 'added';
  return line.startsWith('-') ? 'removed' : '';
}
