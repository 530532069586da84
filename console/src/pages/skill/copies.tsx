import type { JSX } from 'preact';

import type { SkillDetail } from '../../lib/answers.ts';
import { change } from '../../lib/api.ts';
import { notify, notifyFailure } from '../../lib/notices.ts';
import { useSession } from '../../lib/session.ts';
import { folderOf } from '../../lib/skill-problem.ts';
import { visible } from '../../lib/visible-text.ts';
import { shortPath } from '../../lib/words.ts';

/** The other copies of the name, and which one is used. */
export function Copies({ detail }: { readonly detail: SkillDetail }): JSX.Element | null {
  const { row, others, preferredBy } = detail;
  const { home, isReadOnly } = useSession();
  if (others.length === 0 && preferredBy === undefined) return null;
  return (
    <div>
      <h3>Copies</h3>
      <p>
        In use: <span class="mono">{visible(shortPath(folderOf(row), home))}</span>
        {preferredBy !== undefined && `, preferred by the ${preferredBy}'s configuration`}
      </p>
      {preferredBy === 'user' && !isReadOnly && (
        <p class="row-actions">
          <button type="button" class="small" onClick={() => void prefer(row.name, undefined)}>
            Let precedence decide
          </button>
        </p>
      )}
      {others.map(({ source, file, state }) => (
        <div key={file} class="copy">
          <p>
            Also in{' '}
            <span class="mono">{source === 'bundled' ? source : visible(shortPath(folderOf({ file }), home))}</span>{' '}
            <span class="muted">({state})</span>
          </p>
          {!isReadOnly && (
            <button
              type="button"
              class="small"
              title={`Keeps both copies; changes \`preferred\` in your config.yaml to ${source}`}
              onClick={() => void prefer(row.name, source)}
            >
              Use this copy instead
            </button>
          )}
        </div>
      ))}
    </div>
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
