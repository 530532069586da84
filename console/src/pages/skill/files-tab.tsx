import type { JSX } from 'preact';

import type { FindingView, SkillDetail } from '../../../../src/http/wire/skill.ts';
import { choose, route } from '../../lib/route.ts';
import { useRead } from '../../lib/use-read.ts';
import { visible } from '../../lib/visible-text.ts';
import { counted, sized } from '../../lib/words.ts';
import { CodeView, type LineNote } from '../../parts/code-view.tsx';
import { SEVERITY_KINDS } from '../../parts/findings.tsx';
import { Markdown } from '../../parts/markdown.tsx';
import { Trouble } from '../../parts/trouble.tsx';

/** The files of a skill, and one of them as text. Nothing of it is run or loaded. */
export function FilesTab({ detail }: { readonly detail: SkillDetail }): JSX.Element {
  const { files, leftOut, row } = detail;
  const path = route.value.params['file'] ?? files[0]?.path;
  return (
    <div class="columns files">
      <ul class="file-list" aria-label="Files">
        {files.map((file) => (
          <li key={file.path}>
            <button
              type="button"
              class="plain"
              aria-current={file.path === path ? 'true' : undefined}
              onClick={() => choose({ file: file.path, line: undefined, view: undefined })}
            >
              <span class="mono">{visible(file.path)}</span>
              <span class="muted">
                {file.kind === 'other' ? '' : `${file.kind} · `}
                {sized(file.size)}
              </span>
            </button>
          </li>
        ))}
        {leftOut.map((text) => (
          <li key={text} class="muted">
            {visible(text)}
          </li>
        ))}
      </ul>
      {path !== undefined && <Preview name={row.name} path={path} />}
    </div>
  );
}

function Preview({ name, path }: { readonly name: string; readonly path: string }): JSX.Element {
  const { value, failure } = useRead('skill/file', { name, path });
  const audited = useRead('skill/trust', { name }).value;
  if (failure !== undefined) return <Trouble failure={failure} />;
  if (value === undefined) return <div aria-busy="true" />;
  const { text, contentType, size, isCut } = value;
  if (text === null)
    return (
      <p class="muted">
        {contentType}, {sized(size)}: not text, so it is not shown.
      </p>
    );
  const notes = (audited?.findings ?? []).filter(({ file }) => file === path).flatMap(toNote);
  return (
    <div class="stack">
      {isCut && <p class="warn">Only the beginning of {sized(size)} is shown.</p>}
      <Content path={path} text={text} isMarkdown={contentType === 'text/markdown'} notes={notes} />
    </div>
  );
}

interface ContentProps {
  readonly path: string;
  readonly text: string;
  readonly isMarkdown: boolean;
  readonly notes: readonly LineNote[];
}

/** Markdown is rendered, unless there is something to say about its lines. */
function Content({ path, text, isMarkdown, notes }: ContentProps): JSX.Element {
  const { view, line } = route.value.params;
  const isRendered =
    isMarkdown && (view ?? (path === 'SKILL.md' || notes.length > 0 ? 'source' : 'rendered')) !== 'source';
  return (
    <>
      <div class="row-of-buttons">
        {notes.length > 0 && (
          <span class="warn">{counted(notes.length, 'finding')} of the audit, marked at their lines</span>
        )}
        {isMarkdown && (
          <button type="button" onClick={() => choose({ view: isRendered ? 'source' : 'rendered' })}>
            {isRendered ? 'Show the source' : 'Show it rendered'}
          </button>
        )}
      </div>
      {isRendered ? (
        <section class="paper" aria-label={`Content of ${path}`}>
          <h2 class="unseen">Content of {path}</h2>
          <Markdown text={text} onOpenFile={(other) => choose({ file: other, line: undefined, view: undefined })} />
        </section>
      ) : (
        <CodeView
          text={text}
          label={`Content of ${path}`}
          notes={notes}
          current={line === undefined ? undefined : Number(line)}
        />
      )}
    </>
  );
}

function toNote({ line, severity, name, why }: FindingView): readonly LineNote[] {
  return line === null ? [] : [{ line, kind: SEVERITY_KINDS[severity], text: `${severity}: ${name}. ${why}` }];
}
