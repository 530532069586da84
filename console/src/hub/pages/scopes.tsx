import type { JSX } from 'preact';
import { useState } from 'preact/hooks';

import type { ScopeAnswer, ScopeRules } from '../../../../hub/src/http/wire.ts';
import { notify, notifyFailure } from '../../lib/notices.ts';
import { visible } from '../../lib/visible-text.ts';
import { DataTable } from '../../parts/data-table.tsx';
import { Trouble } from '../../parts/trouble.tsx';
import { changes, questions } from '../lib/api.ts';
import { choose, route } from '../lib/route.ts';
import { mayEverywhere, mayIn } from '../lib/session.ts';
import { useAsk } from '../lib/use-ask.ts';
import { HubLink } from '../parts/hub-link.tsx';
import { TextField } from '../parts/text-field.tsx';
import { describeRules, RulesFields } from './scopes/rules-fields.tsx';
import { ScopePanel } from './scopes/scope-panel.tsx';
import { ScopePeople } from './scopes/scope-people.tsx';

/** The scope that stands for all of them. */
const EVERY = '*';

/** Scopes: when readers see a new version, and who may do what. */
export function ScopesPage(): JSX.Element {
  const { value, failure } = useAsk(questions.scopes());
  const name = route.value.params['of'];
  const scope = value?.scopes.find((one) => one.name === name);
  return (
    <div class="page">
      <h1>Scopes</h1>
      <p class="muted">A scope has the skills of a team. Its policy says when readers see a new version.</p>
      {mayEverywhere('admin') && <NewScope taken={value?.scopes.map((one) => one.name) ?? []} />}
      {failure !== undefined && <Trouble failure={failure} />}
      {value !== undefined && <ScopeTable scopes={value.scopes} chosen={name} />}
      {scope !== undefined && <ScopePanel key={scope.name} scope={scope} />}
      {name === EVERY && mayEverywhere('owner') && <ScopePeople scope={EVERY} />}
      {name !== undefined && name !== EVERY && value !== undefined && scope === undefined && (
        <p class="warn">There is no scope @{visible(name)} that you may see.</p>
      )}
    </div>
  );
}

interface ScopeTableProps {
  readonly scopes: readonly ScopeAnswer[];
  readonly chosen: string | undefined;
}

function ScopeTable({ scopes, chosen }: ScopeTableProps): JSX.Element {
  if (scopes.length === 0)
    return <p class="muted">There are no scopes yet. {mayEverywhere('admin') ? '' : 'An admin creates them.'}</p>;
  return (
    <DataTable label="Scopes" columns={['Scope', 'Policy', 'Readers see a new version', 'You may']}>
      {scopes.map((scope) => (
        <tr key={scope.name}>
          <th scope="row">
            <HubLink page="scopes" params={{ of: scope.name }} class="mono" current={scope.name === chosen}>
              @{visible(scope.name)}
            </HubLink>
          </th>
          <td>{scope.policy}</td>
          <td>{describeRules(scope)}</td>
          <td>{mayIn('owner', scope.name) ? 'change it' : 'look at it'}</td>
        </tr>
      ))}
      {mayEverywhere('owner') && (
        <tr>
          <th scope="row">
            <HubLink page="scopes" params={{ of: EVERY }} current={chosen === EVERY}>
              every scope
            </HubLink>
          </th>
          <td>–</td>
          <td class="muted">People with a role in every scope, also in later ones.</td>
          <td>change it</td>
        </tr>
      )}
    </DataTable>
  );
}

const NAME = /^[a-z0-9][a-z0-9-]{0,62}$/;
const CAREFUL: ScopeRules = { policy: 'audited', failOn: 'critical' };

/** Creates a scope; it cannot be removed again, so the page says so first. */
function NewScope({ taken }: { readonly taken: readonly string[] }): JSX.Element {
  const [name, setName] = useState('');
  const [rules, setRules] = useState<ScopeRules>(CAREFUL);
  const fault = faultOf(name, taken);
  const create = async (): Promise<void> => {
    const answer = await changes.saveScope(name, rules);
    if (!answer.ok) {
      notifyFailure(answer.failure);
      return;
    }
    setName('');
    notify({ kind: 'done', text: `Created the scope @${name}. Give people a role in it, or make tokens for it.` });
    choose({ of: name });
  };
  return (
    <details class="new-token">
      <summary>Create a scope</summary>
      <form
        class="stack"
        onSubmit={(event) => {
          event.preventDefault();
          if (fault === undefined) void create();
        }}
      >
        <div class="fields">
          <TextField label="Name" hint="platform-team" value={name} onChange={setName} />
          <RulesFields rules={rules} onChange={setRules} />
        </div>
        <p class="muted">
          Readers see a new version {describeRules(rules)}. A scope cannot be renamed or removed later.
        </p>
        <div class="row-of-buttons">
          <button type="submit" class="main" disabled={fault !== undefined}>
            Create the scope
          </button>
          {name !== '' && fault !== undefined && <span class="warn">{fault}</span>}
        </div>
      </form>
    </details>
  );
}

function faultOf(name: string, taken: readonly string[]): string | undefined {
  if (!NAME.test(name)) return 'A name has lower-case letters, digits and hyphens, such as platform-team.';
  return taken.includes(name) ? `There is a scope @${name} already.` : undefined;
}
