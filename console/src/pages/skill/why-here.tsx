import type { JSX } from 'preact';

import type { SkillDetail } from '../../lib/answers.ts';
import { change } from '../../lib/api.ts';
import { notify, notifyFailure } from '../../lib/notices.ts';
import { useSession } from '../../lib/session.ts';
import { visible } from '../../lib/visible-text.ts';
import { shortPath } from '../../lib/words.ts';

/** Why the skill is here: what it hides, what it needs, and what activates it. */
export function WhyHere({ detail }: { readonly detail: SkillDetail }): JSX.Element {
  const { row, others, requires, triggers, allowedTools, license, compatibility, preferredBy } = detail;
  const { home, isReadOnly } = useSession();
  return (
    <aside class="why-here" aria-label="Why it is here">
      <h2>Why it is here</h2>
      <dl>
        <dt>Copies</dt>
        <dd>
          {others.length === 0 ? 'The only copy of its name.' : 'This copy is used.'}
          {preferredBy !== undefined && ` Preferred by the ${preferredBy}'s configuration.`}
          {preferredBy === 'user' && !isReadOnly && (
            <button type="button" class="plain" onClick={() => void prefer(row.name, undefined)}>
              Let precedence decide
            </button>
          )}
          {others.map(({ source, file, state }) => (
            <div key={file} class="copy">
              <span>
                also in {source} <span class="muted">({state})</span>
              </span>
              <span class="mono muted">{visible(shortPath(file, home))}</span>
              {!isReadOnly && (
                <button type="button" onClick={() => void prefer(row.name, source)}>
                  Use this copy instead
                </button>
              )}
            </div>
          ))}
        </dd>
        <dt>Needs</dt>
        <dd>
          {requires.length === 0
            ? 'No commands.'
            : requires.map(({ command, isFound }) => (
                <div key={command} class={isFound ? '' : 'warn'}>
                  <code>{visible(command)}</code> {isFound ? 'found' : 'is missing'}
                </div>
              ))}
          {compatibility !== undefined && <p>{visible(compatibility)}</p>}
        </dd>
        <dt>Triggers</dt>
        <dd>
          {triggers.length === 0 && 'None; models choose it by its description.'}
          {triggers.map(({ kind, texts }) => (
            <div key={kind}>
              {kind}: <bdi>{visible(texts.join(', '))}</bdi>
            </div>
          ))}
        </dd>
        {allowedTools.length > 0 && (
          <>
            <dt>Allowed tools</dt>
            <dd class="mono">{visible(allowedTools.join(' '))}</dd>
          </>
        )}
        {license !== undefined && (
          <>
            <dt>License</dt>
            <dd>{visible(license)}</dd>
          </>
        )}
      </dl>
    </aside>
  );
}

async function prefer(name: string, source: string | undefined): Promise<void> {
  const answer = await change('skill/prefer', { name, source });
  if (!answer.ok) notifyFailure(answer.failure);
  else
    notify({
      kind: 'done',
      text: source === undefined ? `Precedence decides about ${name} again.` : `${name} is now the copy of ${source}.`,
      detail: `Changed \`preferred\` in ${answer.value.file}`,
      undo: source === undefined ? undefined : () => void prefer(name, undefined),
    });
}
