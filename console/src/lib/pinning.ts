import { change } from './api.ts';
import { notify, notifyFailure } from './notices.ts';

/** Pins a skill or takes that back, says what was changed, and offers to undo it. */
export async function changePin(name: string, isPinned: boolean): Promise<void> {
  const answer = await change('skill/pin', { name, isPinned });
  if (!answer.ok) notifyFailure(answer.failure);
  else
    notify({
      kind: 'done',
      text: `${isPinned ? 'Pinned' : 'Unpinned'} ${name}.`,
      detail: `Changed ${answer.value.file}`,
      undo: () => void changePin(name, !isPinned),
    });
}
