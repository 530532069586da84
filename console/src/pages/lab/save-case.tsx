import type { JSX } from 'preact';

import type { LabCase } from '../../lib/answers.ts';
import { change } from '../../lib/api.ts';
import { notify, notifyFailure } from '../../lib/notices.ts';
import { choose, route } from '../../lib/route.ts';
import { useSession } from '../../lib/session.ts';
import { useRead } from '../../lib/use-read.ts';
import { visible } from '../../lib/visible-text.ts';
import { shortPath } from '../../lib/words.ts';
import { DiffView } from '../../parts/diff-view.tsx';
import { Trouble } from '../../parts/trouble.tsx';

/** Keeps the request as an eval case of a skill: says where, then does it. */
export function SaveCase({ request, skill }: { readonly request: string; readonly skill: string }): JSX.Element {
  const { isReadOnly, home } = useSession();
  const shouldTrigger = route.value.params['not'] === undefined;
  const { value, failure } = useRead('lab/case', { request, skill, not: shouldTrigger ? undefined : 'true' });
  return (
    <div class="paper stack save-case">
      <div class="row-of-buttons" role="radiogroup" aria-label="What the case says">
        {[true, false].map((should) => (
          <label key={String(should)}>
            <input
              type="radio"
              name="should"
              checked={should === shouldTrigger}
              onChange={() => choose({ not: should ? undefined : 'true' })}
            />{' '}
            should {should ? '' : 'not '}be <span class="mono">{visible(skill)}</span>
          </label>
        ))}
      </div>
      {failure !== undefined && <Trouble failure={failure} />}
      {value !== undefined && !value.isChanged && (
        <p class="muted">
          It is in <span class="mono">{visible(shortPath(value.file, home))}</span> already.
        </p>
      )}
      {value !== undefined && value.isChanged && (
        <>
          <p>
            {value.isWhole ? 'Makes' : 'Adds a line to'}{' '}
            <span class="mono">{visible(shortPath(value.file, home))}</span>
          </p>
          <DiffView diff={value.diff} label="The change of the file" />
          <div class="row-of-buttons">
            {!isReadOnly && (
              <button type="button" class="main" onClick={() => void save({ request, skill, shouldTrigger }, home)}>
                Save
              </button>
            )}
            <button type="button" onClick={() => choose({ case: undefined, not: undefined })}>
              Cancel
            </button>
          </div>
        </>
      )}
    </div>
  );
}

async function save(wanted: LabCase, home: string): Promise<void> {
  const answer = await change('lab/case', wanted);
  if (!answer.ok) {
    notifyFailure(answer.failure);
    return;
  }
  notify({
    kind: 'done',
    text: `Saved: this request should ${wanted.shouldTrigger ? '' : 'not '}find ${wanted.skill}.`,
    detail: `Changed ${shortPath(answer.value.file, home)}`,
    undo: () => void takeBack(wanted, home),
  });
}

async function takeBack(wanted: LabCase, home: string): Promise<void> {
  const answer = await change('lab/uncase', wanted);
  if (!answer.ok) notifyFailure(answer.failure);
  else
    notify({
      kind: 'done',
      text: 'The case is taken back.',
      detail: `${answer.value.isWhole ? 'Removed' : 'Changed'} ${shortPath(answer.value.file, home)}`,
    });
}
