import type { Installed } from '../../lib/answers.ts';
import { change } from '../../lib/api.ts';
import { notify, notifyFailure } from '../../lib/notices.ts';

/** Changes of installed skills, each with what takes it back. */

/** Switches to the version before; doing it again switches back. */
export async function rollBack({ name, scope }: Installed): Promise<void> {
  const answer = await change('installed/rollback', { name, scope });
  if (!answer.ok) notifyFailure(answer.failure);
  else notify({ kind: 'done', text: answer.value.said, undo: () => void rollBack({ name, scope }) });
}

export async function holdSkill({ name, scope }: Installed, isHeld: boolean): Promise<void> {
  const answer = await change('installed/hold', { name, scope, isHeld });
  if (!answer.ok) {
    notifyFailure(answer.failure);
    return;
  }
  notify({
    kind: 'done',
    text: isHeld ? `Updates leave ${name} alone.` : `${name} is updated again.`,
    detail: answer.value.said,
    undo: () => void holdSkill({ name, scope }, !isHeld),
  });
}

/** This cannot be taken back. */
export async function removeSkill({ name, scope }: Installed): Promise<void> {
  const answer = await change('installed/remove', { name, scope });
  if (answer.ok) notify({ kind: 'done', text: answer.value.said });
  else notifyFailure(answer.failure);
}
