import type { JSX } from 'preact';

import type { InstallLook } from '../../lib/answers.ts';
import { visible } from '../../lib/visible-text.ts';
import { counted } from '../../lib/words.ts';

interface InstallPreviewProps {
  readonly look: InstallLook;
  readonly verb: 'Install' | 'Import';
  readonly onAccept: () => void;
}

/** The skills that would be installed, with their audits. The decision comes first, so that a long list does not push it away. */
export function InstallPreview({ look, verb, onAccept }: InstallPreviewProps): JSX.Element {
  const isRefused = look.skills.some((skill) => skill.isRefused);
  const count = counted(look.skills.length, 'skill');
  return (
    <div class="paper stack">
      <div class="head">
        <button type="button" class="main" onClick={onAccept}>
          {isRefused ? `Accept the findings and ${verb.toLowerCase()} ${count}` : `${verb} ${count}`}
        </button>
        <span class="muted mono">
          {visible(look.from ?? '')} {look.choice}
        </span>
      </div>
      {look.skills.map(({ name, description, files, verdict, findings, conflict }) => (
        <div key={name} class="stack">
          <p>
            <strong class="mono">{visible(name)}</strong> {visible(description)}{' '}
            <span class="muted">
              {counted(files, 'file')} · audit: {verdict}
            </span>
          </p>
          {conflict !== undefined && <p class="warn">{visible(conflict)}</p>}
          {findings.map((line) => (
            <pre key={line} tabIndex={0}>
              {visible(line)}
            </pre>
          ))}
        </div>
      ))}
      {look.notices.map((text) => (
        <p key={text} class="muted">
          {visible(text)}
        </p>
      ))}
      {look.skipped.map((text) => (
        <p key={text} class="warn">
          Skipped {visible(text)}
        </p>
      ))}
    </div>
  );
}
