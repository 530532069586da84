import type { JSX } from 'preact';

import { visible } from '../lib/visible-text.ts';

/** Something to say about a line. */
export interface LineNote {
  readonly line: number;
  readonly kind: 'bad' | 'warn' | 'muted';
  readonly text: string;
}

interface CodeViewProps {
  readonly text: string;
  readonly label: string;
  /** The number of the first line. */
  readonly from?: number;
  readonly notes?: readonly LineNote[];
}

/** Text with line numbers, and notes below the lines that they are about. */
export function CodeView({ text, label, from = 1, notes = [] }: CodeViewProps): JSX.Element {
  const lines = visible(text).split('\n');
  return (
    <div class="code" tabIndex={0} role="group" aria-label={label}>
      {lines.map((line, at) => (
        <div key={at}>
          <div class="code-line">
            <span class="line-number" aria-hidden="true">
              {from + at}
            </span>
            <code>{line}</code>
          </div>
          {notes
            .filter((note) => note.line === from + at)
            .map((note) => (
              <p key={note.text} class={`line-note ${note.kind}`}>
                {visible(note.text)}
              </p>
            ))}
        </div>
      ))}
    </div>
  );
}
