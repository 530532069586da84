import type { JSX } from 'preact';

import { CodeView } from '../../parts/code-view.tsx';
import { FileContent, type FileContentProps } from '../../parts/file-content.tsx';
import { Markdown } from '../../parts/markdown.tsx';
import { Trouble } from '../../parts/trouble.tsx';
import type { VersionName } from '../lib/api.ts';
import { useFile } from '../lib/use-ask.ts';

interface FileViewProps extends Pick<FileContentProps, 'path' | 'notes' | 'view' | 'onView' | 'onOpenFile'> {
  readonly name: VersionName;
}

/** A file of a version as text. */
export function FileView({ name, ...props }: FileViewProps): JSX.Element {
  const { value, failure } = useFile(name, props.path);
  if (failure !== undefined) return <Trouble failure={failure} />;
  if (value === undefined) return <div aria-busy="true" />;
  const { text, isCut } = value;
  if (text === null) return <p class="muted">It is not text, so it is not shown.</p>;
  return <FileContent {...props} text={text} cut={isCut ? CUT : undefined} />;
}

const CUT = 'Only the beginning is shown.';

interface InstructionsProps {
  readonly name: VersionName;
  readonly onOpenFile: (path: string) => void;
}

/** The instructions of a version, and its frontmatter. */
export function Instructions({ name, onOpenFile }: InstructionsProps): JSX.Element {
  const { value, failure } = useFile(name, 'SKILL.md');
  if (failure !== undefined) return <Trouble failure={failure} />;
  if (value === undefined) return <div aria-busy="true" />;
  const { frontmatter, body } = splitSkill(value.text ?? '');
  return (
    <div class="stack">
      {value.isCut && <p class="warn">{CUT}</p>}
      <section class="paper" aria-label="Instructions of the skill">
        <h2 class="unseen">Instructions of the skill</h2>
        <Markdown text={body} onOpenFile={onOpenFile} />
      </section>
      {frontmatter !== '' && (
        <details>
          <summary>Frontmatter</summary>
          <CodeView text={frontmatter} label="Frontmatter" from={2} />
        </details>
      )}
    </div>
  );
}

function splitSkill(text: string): { readonly frontmatter: string; readonly body: string } {
  const [whole = '', frontmatter = ''] = /^---\r?\n([\s\S]*?)\r?\n---(?:\r?\n|$)/.exec(text) ?? [];
  return { frontmatter, body: text.slice(whole.length) };
}
