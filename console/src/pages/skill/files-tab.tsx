import type { JSX } from 'preact';

import type { SkillDetail } from '../../../../src/http/wire/skill.ts';
import { choose, route } from '../../lib/route.ts';
import { useRead } from '../../lib/use-read.ts';
import { visible } from '../../lib/visible-text.ts';
import { sized } from '../../lib/words.ts';
import { CodeView } from '../../parts/code-view.tsx';
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
              onClick={() => choose({ file: file.path })}
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
  if (failure !== undefined) return <Trouble failure={failure} />;
  if (value === undefined) return <div aria-busy="true" />;
  const { text, contentType, size, isCut } = value;
  if (text === null)
    return (
      <p class="muted">
        {contentType}, {sized(size)}: not text, so it is not shown.
      </p>
    );
  return (
    <div class="stack">
      {isCut && <p class="warn">Only the beginning of {sized(size)} is shown.</p>}
      {contentType === 'text/markdown' && path !== 'SKILL.md' ? (
        <section class="paper" aria-label={`Content of ${path}`}>
          <h2 class="unseen">Content of {path}</h2>
          <Markdown text={text} onOpenFile={(other) => choose({ file: other })} />
        </section>
      ) : (
        <CodeView text={text} label={`Content of ${path}`} />
      )}
    </div>
  );
}
