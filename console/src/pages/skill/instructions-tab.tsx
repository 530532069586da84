import type { JSX } from 'preact';

import type { Problem, SkillDetail } from '../../lib/answers.ts';
import { choose } from '../../lib/route.ts';
import { CodeView, type LineNote } from '../../parts/code-view.tsx';
import { Markdown } from '../../parts/markdown.tsx';
import { FixPanel } from './fix-panel.tsx';

/** The instructions as a reader sees them, and the frontmatter with its problems. */
export function InstructionsTab({ detail }: { readonly detail: SkillDetail }): JSX.Element {
  const { instructions, frontmatter, problems, row } = detail;
  return (
    <div class="stack">
      {problems.length > 0 && <FixPanel name={row.name} />}
      {instructions === undefined ? (
        <Problems problems={problems} />
      ) : (
        <section class="paper" aria-label="Instructions of the skill">
          <h2 class="unseen">Instructions of the skill</h2>
          <Markdown text={instructions} onOpenFile={(path) => choose({ tab: 'files', file: path })} />
        </section>
      )}
      {frontmatter !== undefined && frontmatter !== '' && (
        <details open={problems.length > 0}>
          <summary>Frontmatter</summary>
          <CodeView text={frontmatter} label="Frontmatter" from={2} notes={problems.flatMap(toNote)} />
          <Problems problems={problems.filter(({ line }) => line === undefined)} />
        </details>
      )}
    </div>
  );
}

const KINDS = { error: 'bad', warning: 'warn', info: 'muted' } as const;

function toNote({ severity, message, line }: Problem): readonly LineNote[] {
  return line === undefined ? [] : [{ line, kind: KINDS[severity], text: message }];
}

function Problems({ problems }: { readonly problems: readonly Problem[] }): JSX.Element | null {
  if (problems.length === 0) return null;
  return (
    <ul class="stack">
      {problems.map(({ severity, message, line }) => (
        <li key={message} class={KINDS[severity]}>
          {severity}
          {line === undefined ? '' : `, line ${line}`}: {message}
        </li>
      ))}
    </ul>
  );
}
