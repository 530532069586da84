import type { JSX } from 'preact';

import { visible } from '../lib/visible-text.ts';
import { sized } from '../lib/words.ts';

interface FileListProps {
  /** `note` stands before the size. */
  readonly files: readonly { readonly path: string; readonly note: string | undefined; readonly size: number }[];
  readonly current: string | undefined;
  readonly onChoose: (path: string) => void;
  /** Sentences about files that are not listed. */
  readonly leftOut?: readonly string[];
}

/** The files of a skill, one of which is shown beside them. */
export function FileList({ files, current, onChoose, leftOut = [] }: FileListProps): JSX.Element {
  return (
    <ul class="file-list" aria-label="Files">
      {files.map(({ path, note, size }) => (
        <li key={path}>
          <button
            type="button"
            class="plain"
            aria-current={path === current ? 'true' : undefined}
            onClick={() => onChoose(path)}
          >
            <span class="mono">
              <bdi>{visible(path)}</bdi>
            </span>
            <span class="muted">{[note, sized(size)].filter(Boolean).join(' · ')}</span>
          </button>
        </li>
      ))}
      {leftOut.map((text) => (
        <li key={text} class="muted">
          {visible(text)}
        </li>
      ))}
    </ul>
  );
}
