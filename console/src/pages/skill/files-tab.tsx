import type { JSX } from 'preact';

import type { SkillDetail } from '../../lib/answers.ts';
import { choose, route } from '../../lib/route.ts';
import { useRead } from '../../lib/use-read.ts';
import { sized } from '../../lib/words.ts';
import type { LineNote } from '../../parts/code-view.tsx';
import { FileContent } from '../../parts/file-content.tsx';
import { FileList } from '../../parts/file-list.tsx';
import { kindOf, strengthOf, type ShownFinding } from '../../parts/findings.tsx';
import { Trouble } from '../../parts/trouble.tsx';

/** The files of a skill, and one of them as text. */
export function FilesTab({ detail }: { readonly detail: SkillDetail }): JSX.Element {
  const { files, leftOut, row } = detail;
  const path = route.value.params['file'] ?? files[0]?.path;
  return (
    <div class="columns files">
      <FileList
        files={files.map((file) => ({ ...file, note: file.kind === 'other' ? undefined : file.kind }))}
        current={path}
        onChoose={openFile}
        leftOut={leftOut}
      />
      {path !== undefined && <Preview name={row.name} path={path} />}
    </div>
  );
}

function openFile(file: string): void {
  choose({ file, line: undefined, view: undefined });
}

function Preview({ name, path }: { readonly name: string; readonly path: string }): JSX.Element {
  const { value, failure } = useRead('skill/file', { name, path });
  const audited = useRead('skill/trust', { name }).value;
  const { view, line } = route.value.params;
  if (failure !== undefined) return <Trouble failure={failure} />;
  if (value === undefined) return <div aria-busy="true" />;
  const { text, contentType, size, isCut } = value;
  if (text === undefined)
    return (
      <p class="muted">
        {contentType}, {sized(size)}: not text, so it is not shown.
      </p>
    );
  return (
    <FileContent
      path={path}
      text={text}
      cut={isCut ? `Only the beginning of ${sized(size)} is shown.` : undefined}
      notes={(audited?.findings ?? []).filter(({ file }) => file === path).flatMap(toNote)}
      view={view}
      onView={(chosen) => choose({ view: chosen })}
      line={line === undefined ? undefined : Number(line)}
      onOpenFile={openFile}
    />
  );
}

function toNote(finding: ShownFinding): readonly LineNote[] {
  const { line, name, why } = finding;
  return line === null || line === undefined
    ? []
    : [{ line, kind: kindOf(finding), text: `${strengthOf(finding)}: ${name}. ${why}` }];
}
