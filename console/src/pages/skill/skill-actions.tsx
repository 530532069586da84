import type { JSX } from 'preact';

import type { SkillDetail } from '../../lib/answers.ts';
import { change } from '../../lib/api.ts';
import { notify, notifyFailure } from '../../lib/notices.ts';
import { changePin } from '../../lib/pinning.ts';
import { useSession } from '../../lib/session.ts';
import { switchSkills } from '../../lib/switching.ts';

/** The buttons at the head of a skill's page. Each says what it will change when one points at it. */
export function SkillActions({ detail: { row } }: { readonly detail: SkillDetail }): JSX.Element {
  const { isReadOnly, configFile } = useSession();
  const to = row.state === 'disabled' ? 'enabled' : 'disabled';
  return (
    <div class="actions">
      <button
        type="button"
        disabled={isReadOnly}
        title={`Changes ${configFile}`}
        onClick={() => void switchSkills([row.name], to)}
      >
        {to === 'enabled' ? 'Enable' : 'Disable'}
      </button>
      <button
        type="button"
        disabled={isReadOnly || row.state === 'broken'}
        title={`${row.isPinned ? 'No longer lists' : 'Always lists'} it to models; changes its SKILL.md, or ${configFile}`}
        onClick={() => void changePin(row.name, row.isPinned !== true)}
      >
        {row.isPinned ? 'Unpin' : 'Pin'}
      </button>
      <button
        type="button"
        disabled={isReadOnly}
        title={`Opens ${row.file} in your editor`}
        onClick={() => void edit(row.name)}
      >
        Edit
      </button>
    </div>
  );
}

async function edit(name: string): Promise<void> {
  const answer = await change('skill/edit', { name });
  if (answer.ok) notify({ kind: 'done', text: `Opened in ${answer.value.command}.` });
  else notifyFailure(answer.failure);
}
