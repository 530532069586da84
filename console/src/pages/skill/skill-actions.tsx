import type { JSX } from 'preact';

import type { SkillDetail } from '../../lib/answers.ts';
import { change } from '../../lib/api.ts';
import { notify, notifyFailure } from '../../lib/notices.ts';
import { changePin } from '../../lib/pinning.ts';
import { useSession } from '../../lib/session.ts';

interface SkillActionsProps {
  readonly detail: SkillDetail;
  /** Enables or disables it. */
  readonly onTurn: () => void;
}

/** The buttons at the head of a skill's page. Each says what it will change when one points at it. */
export function SkillActions({ detail: { row }, onTurn }: SkillActionsProps): JSX.Element | null {
  const { isReadOnly, configFile } = useSession();
  if (isReadOnly) return null;
  return (
    <div class="actions">
      <button type="button" title={`Changes ${configFile}`} onClick={onTurn}>
        {row.state === 'disabled' ? 'Enable' : 'Disable'}
      </button>
      <button
        type="button"
        disabled={row.state === 'broken'}
        title={`${row.isPinned ? 'No longer lists' : 'Always lists'} it to models; changes its SKILL.md, or ${configFile}`}
        onClick={() => void changePin(row.name, row.isPinned !== true)}
      >
        {row.isPinned ? 'Unpin' : 'Pin'}
      </button>
      <button type="button" title={`Opens ${row.file} in your editor`} onClick={() => void edit(row.name)}>
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
