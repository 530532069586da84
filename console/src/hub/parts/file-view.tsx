import type { JSX } from 'preact';

import { CodeView, type LineNote } from '../../parts/code-view.tsx';
import { Markdown } from '../../parts/markdown.tsx';
import { Trouble } from '../../parts/trouble.tsx';
import type { VersionName } from '../lib/api.ts';
import { useFile } from '../lib/use-ask.ts';

interface FileTextProps {
  readonly name: VersionName;
  readonly path: string;
  readonly notes?: readonly LineNote[];
  /** Called with the path of a link that leads to another file. */
  readonly onOpenFile: (path: string) => void;
}

/** A file of a version as text. Nothing of it is run or loaded. */
export function FileView({ name, path, notes = [], onOpenFile }: FileTextProps): JSX.Element {
  const { value, failure } = useFile(name, path);
  if (failure !== undefined) return <Trouble failure={failure} />;
  if (value === undefined) return <div aria-busy="true" />;
  const { text, isCut } = value;
  if (text === null) return <p class="muted">It is not text, so it is not shown.</p>;
  return (
    <div class="stack">
      {isCut && <p class="warn">Only the beginning is shown.</p>}
      {/\.(?:md|markdown)$/i.test(path) && path !== 'SKILL.md' && notes.length === 0 ? (
        <section class="paper" aria-label={`Content of ${path}`}>
          <h2 class="unseen">Content of {path}</h2>
          <Markdown text={text} onOpenFile={onOpenFile} />
        </section>
      ) : (
        <CodeView text={text} label={`Content of ${path}`} notes={notes} />
      )}
    </div>
  );
}

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
      {value.isCut && <p class="warn">Only the beginning is shown.</p>}
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
