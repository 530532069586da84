import type { JSX } from 'preact';

import { visible } from '../lib/visible-text.ts';
import { counted } from '../lib/words.ts';
import { CodeView, type LineNote } from './code-view.tsx';
import { Markdown } from './markdown.tsx';

export interface FileContentProps {
  readonly path: string;
  readonly text: string;
  /** Says that it is not the whole file. */
  readonly cut?: string | undefined;
  readonly notes: readonly LineNote[];
  /** `source` or `rendered`, once someone has chosen. */
  readonly view: string | undefined;
  readonly onView: (view: 'source' | 'rendered') => void;
  /** The line that is asked for. */
  readonly line?: number | undefined;
  /** Called with the path of a link that leads to another file. */
  readonly onOpenFile: (path: string) => void;
}

/** A file as text; Markdown is rendered, unless there is something to say about its lines. Nothing of it is run or loaded. */
export function FileContent(props: FileContentProps): JSX.Element {
  const { path, text, cut, notes, view, onView, line, onOpenFile } = props;
  const isMarkdown = /\.(?:md|markdown)$/i.test(path);
  const usual = path === 'SKILL.md' || notes.length > 0 ? 'source' : 'rendered';
  const isRendered = isMarkdown && (view ?? usual) !== 'source';
  const label = `Content of ${visible(path)}`;
  return (
    <div class="stack">
      {cut !== undefined && <p class="warn">{cut}</p>}
      <div class="row-of-buttons">
        {notes.length > 0 && (
          <span class="warn">{counted(notes.length, 'finding')} of the audit, marked at their lines</span>
        )}
        {isMarkdown && (
          <button type="button" onClick={() => onView(isRendered ? 'source' : 'rendered')}>
            {isRendered ? 'Show the source' : 'Show it rendered'}
          </button>
        )}
      </div>
      {isRendered ? (
        <section class="paper" aria-label={label}>
          <h2 class="unseen">{label}</h2>
          <Markdown text={text} onOpenFile={onOpenFile} />
        </section>
      ) : (
        <CodeView text={text} label={label} notes={notes} current={line} />
      )}
    </div>
  );
}
