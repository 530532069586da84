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
  /** The line that must be in sight. */
  readonly current?: number | undefined;
}

/** Text with line numbers; lines with something to say are marked, and the notes stand below them. */
export function CodeView({ text, label, from = 1, notes = [], current }: CodeViewProps): JSX.Element {
  const lines = visible(text).split('\n');
  const byLine = Map.groupBy(notes, ({ line }) => line);
  return (
    <div class="code" tabIndex={0} role="group" aria-label={label}>
      {lines.map((line, at) => {
        const number = from + at;
        const own = byLine.get(number) ?? [];
        return (
          <div key={at} ref={number === current ? bringIntoSight : null}>
            <div class={own[0] === undefined ? 'code-line' : `code-line noted ${own[0].kind}`}>
              <span class="line-number" aria-hidden="true">
                {number}
              </span>
              <code>{line}</code>
            </div>
            {own.map((note) => (
              <p key={note.text} class={`line-note ${note.kind}`}>
                {visible(note.text)}
              </p>
            ))}
          </div>
        );
      })}
    </div>
  );
}

function bringIntoSight(element: HTMLElement | null): void {
  element?.scrollIntoView({ block: 'center' });
}
