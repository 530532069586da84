import { change } from '../../lib/api.ts';
import { notify, notifyFailure } from '../../lib/notices.ts';

/** Trusts a skill in the state of this digest, with the findings of these rules. */
export async function grantTrust(name: string, digest: string, allow: readonly string[]): Promise<void> {
  const answer = await change('skill/trust', { name, digest, allow });
  if (!answer.ok) notifyFailure(answer.failure);
  else
    notify({
      kind: 'done',
      text: `${name} is trusted until anything in its folder changes.`,
      undo: () => void revokeTrust(name),
    });
}

export async function revokeTrust(name: string): Promise<void> {
  const answer = await change('skill/untrust', { name });
  if (answer.ok) notify({ kind: 'done', text: `${name} is no longer trusted.` });
  else notifyFailure(answer.failure);
}
