import type { JSX } from 'preact';

import { visible } from '../lib/visible-text.ts';

/** A unified diff, line by line. Signs as well as colours say what was added and removed. */
export function DiffView({ diff, label }: { readonly diff: string; readonly label: string }): JSX.Element {
  return (
    <pre class="diff" tabIndex={0} role="group" aria-label={label}>
      {visible(diff)
        .replace(/\n$/, '')
        .split('\n')
        .map((line, at) => (
          <span key={at} class={kindOf(line)}>
            {line === '' ? ' ' : line}
          </span>
        ))}
    </pre>
  );
}

function kindOf(line: string): string {
  if (line.startsWith('+++') || line.startsWith('---') || line.startsWith('@@')) return 'meta';
  if (line.startsWith('+')) return 'added';
  return line.startsWith('-') ? 'removed' : '';
}
