import type { JSX } from 'preact';
import { useState } from 'preact/hooks';

import type { ScopeAnswer, ScopeRules } from '../../../../../hub/src/http/wire.ts';
import { notify, notifyFailure } from '../../../lib/notices.ts';
import { visible } from '../../../lib/visible-text.ts';
import { changes } from '../../lib/api.ts';
import { mayIn } from '../../lib/session.ts';
import { describeRules, RulesFields } from './rules-fields.tsx';
import { ScopePeople } from './scope-people.tsx';

/** One scope: its policy and its people, to be changed by its owners. */
export function ScopePanel({ scope }: { readonly scope: ScopeAnswer }): JSX.Element {
  const { name } = scope;
  if (!mayIn('owner', name))
    return (
      <section class="stack" aria-label={`@${name}`}>
        <h2 class="mono">@{visible(name)}</h2>
        <p>Readers see a new version {describeRules(scope)}.</p>
        <p class="muted">An owner of the scope changes that, and sees who has which role.</p>
      </section>
    );
  return (
    <>
      <Policy scope={scope} />
      <ScopePeople scope={name} />
    </>
  );
}

function Policy({ scope }: { readonly scope: ScopeAnswer }): JSX.Element {
  const { name, policy, failOn } = scope;
  const [wanted, setWanted] = useState<ScopeRules>();
  const rules = wanted ?? { policy, failOn };
  const isChanged = rules.policy !== policy || (rules.policy === 'audited' && rules.failOn !== failOn);
  const save = async (): Promise<void> => {
    await saveRules(name, { before: { policy, failOn }, after: rules });
    setWanted(undefined);
  };
  return (
    <section class="stack" aria-label={`Policy of @${name}`}>
      <h2>
        Policy of <span class="mono">@{visible(name)}</span>
      </h2>
      <form
        class="stack"
        onSubmit={(event) => {
          event.preventDefault();
          void save();
        }}
      >
        <div class="fields">
          <RulesFields rules={rules} onChange={setWanted} />
        </div>
        {isChanged ? (
          <p>
            From now on, readers see a new version {describeRules(rules)}. Versions that are published stay so, and
            those that wait go on waiting.
          </p>
        ) : (
          <p class="muted">Readers see a new version {describeRules(scope)}.</p>
        )}
        {isChanged && (
          <div class="row-of-buttons">
            <button type="submit" class="main">
              Change the policy
            </button>
            <button type="button" onClick={() => setWanted(undefined)}>
              Leave it
            </button>
          </div>
        )}
      </form>
    </section>
  );
}

interface RulesChange {
  readonly before: ScopeRules;
  readonly after: ScopeRules;
}

async function saveRules(name: string, { before, after }: RulesChange): Promise<void> {
  const answer = await changes.saveScope(name, after);
  if (!answer.ok) notifyFailure(answer.failure);
  else
    notify({
      kind: 'done',
      text: `The policy of @${name} is ${after.policy}, before ${before.policy}.`,
      undo: () => void saveRules(name, { before: after, after: before }),
    });
}
