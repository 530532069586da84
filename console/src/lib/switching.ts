import { change } from './api.ts';
import { notify, notifyFailure } from './notices.ts';
import { counted } from './words.ts';

type State = 'enabled' | 'disabled';

/** Switches skills on or off, says what was changed, and offers to take it back. False if that failed. */
export async function switchSkills(names: readonly string[], to: State): Promise<boolean> {
  const answer = await change('skills/switch', { names, to });
  if (!answer.ok) {
    notifyFailure(answer.failure);
    return false;
  }
  const { done, failed } = answer.value;
  const changed = done.filter(({ changed: settings }) => settings.length > 0);
  const [first] = failed;
  if (first !== undefined) {
    const others = failed.length > 1 ? ` (and ${counted(failed.length - 1, 'other')})` : '';
    notify({ kind: 'failed', text: `${first.name}: ${first.message}${others}`, next: first.next });
    return false;
  }
  const undo = (): void => {
    void switchSkills(
      changed.map(({ name }) => name),
      to === 'enabled' ? 'disabled' : 'enabled',
    );
  };
  const subject = changed.length === 1 ? (changed[0]?.name ?? '') : counted(changed.length, 'skill');
  notify({
    kind: 'done',
    text: changed.length === 0 ? `Already ${to}.` : `${to === 'enabled' ? 'Enabled' : 'Disabled'} ${subject}.`,
    detail:
      changed[0] === undefined ? undefined : `Changed \`${changed[0].changed.join('`, `')}\` in ${changed[0].file}`,
    undo: changed.length === 0 ? undefined : undo,
  });
  return true;
}
