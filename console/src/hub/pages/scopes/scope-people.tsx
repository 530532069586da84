import type { JSX } from 'preact';
import { useState } from 'preact/hooks';

import type { MembersAnswer, TokenAnswer, WireRole } from '../../../../../hub/src/http/wire.ts';
import { notify, notifyFailure } from '../../../lib/notices.ts';
import { visible } from '../../../lib/visible-text.ts';
import { DataTable } from '../../../parts/data-table.tsx';
import { Trouble } from '../../../parts/trouble.tsx';
import { changes, questions } from '../../lib/api.ts';
import { mayEverywhere, ROLE_MEANINGS, ROLE_NAMES, session } from '../../lib/session.ts';
import { isOver } from '../../lib/tokens.ts';
import { useAsk } from '../../lib/use-ask.ts';
import { HubLink } from '../../parts/hub-link.tsx';
import { TextField } from '../../parts/text-field.tsx';

const EVERY = '*';

/** Who may do what in a scope, by the sign-in of a proxy or by a token; roles can be given and taken away. */
export function ScopePeople({ scope }: { readonly scope: string }): JSX.Element {
  const { value, failure } = useAsk(questions.members(scope));
  const tokens = useAsk(questions.tokens()).value?.tokens.filter((token) => !isOver(token) && isOf(token, scope)) ?? [];
  const title = scope === EVERY ? 'every scope' : `@${scope}`;
  if (failure !== undefined) return <Trouble failure={failure} />;
  const members = value?.members ?? [];
  return (
    <section class="stack" aria-label={`People of ${title}`}>
      <h2>
        Who may do what in <span class={scope === EVERY ? '' : 'mono'}>{visible(title)}</span>
      </h2>
      <DataTable label="People and their roles" columns={['Person', 'May', 'By', ['Action', 'unseen']]}>
        {members.map(({ person, role }) => (
          <tr key={`person ${person}`}>
            <th scope="row">
              <bdi>{visible(person)}</bdi>
            </th>
            <td>{ROLE_MEANINGS[role]}</td>
            <td>the proxy that signs them in</td>
            <td>
              <TakeAway scope={scope} person={person} role={role} />
            </td>
          </tr>
        ))}
        {tokens.map(({ id, name, person, role, scopes }) => (
          <tr key={`token ${id}`}>
            <th scope="row">
              <bdi>{visible(person)}</bdi>
            </th>
            <td>{ROLE_MEANINGS[role]}</td>
            <td>
              the token <bdi>{visible(name)}</bdi>
              {scopes === null && scope !== EVERY && ' of every scope'}
            </td>
            <td>
              <HubLink page="tokens">Tokens</HubLink>
            </td>
          </tr>
        ))}
      </DataTable>
      {value !== undefined && members.length + tokens.length === 0 && (
        <p class="muted">No one has a role here yet. Give a role below, or make a token.</p>
      )}
      <GiveRole scope={scope} members={members} />
    </section>
  );
}

function isOf({ scopes }: TokenAnswer, scope: string): boolean {
  return scopes === null || scopes.includes(scope);
}

interface GiveRoleProps {
  readonly scope: string;
  readonly members: MembersAnswer['members'];
}

function GiveRole({ scope, members }: GiveRoleProps): JSX.Element {
  const [person, setPerson] = useState('');
  const [role, setRole] = useState<WireRole>('reader');
  const name = person.trim();
  const before = members.find((member) => member.person === name)?.role ?? null;
  // An address with these would mean another place.
  const isReady = name !== '' && name !== '.' && name !== '..';
  const give = async (): Promise<void> => {
    await setMember({ scope, person: name, role, before });
    setPerson('');
  };
  return (
    <details class="new-token">
      <summary>Give a person a role</summary>
      <form
        class="stack"
        onSubmit={(event) => {
          event.preventDefault();
          if (isReady) void give();
        }}
      >
        <p class="muted">
          For people that a proxy signs in, by the name that it tells. Everyone else, and every program, has a{' '}
          <HubLink page="tokens">token</HubLink>.
        </p>
        <div class="fields">
          <TextField label="Person" hint="ann" value={person} onChange={setPerson} />
          <label class="field">
            Role
            <select
              class="choice"
              value={role}
              onChange={({ currentTarget }) =>
                setRole(ROLE_NAMES.find((one) => one === currentTarget.value) ?? 'reader')
              }
            >
              {ROLE_NAMES.filter((one) => one !== 'admin' || (scope === EVERY && mayEverywhere('admin'))).map((one) => (
                <option key={one} value={one}>
                  {ROLE_MEANINGS[one]}
                </option>
              ))}
            </select>
          </label>
        </div>
        <div class="row-of-buttons">
          <button type="submit" class="main" disabled={!isReady}>
            Give the role
          </button>
          {before !== null && before !== role && (
            <span class="warn">
              <bdi>{visible(name)}</bdi> is {before} here, which this replaces.
            </span>
          )}
        </div>
      </form>
    </details>
  );
}

interface MemberProps {
  readonly scope: string;
  readonly person: string;
  readonly role: WireRole;
}

/** Takes a role away at once, for Undo gives it back; asks where Undo could not, because it is one's own. */
function TakeAway({ scope, person, role }: MemberProps): JSX.Element {
  const [isAsked, setAsked] = useState(false);
  const isOwn = person === session.value?.person;
  const take = (): void => void setMember({ scope, person, role: null, before: role });
  if (!isAsked)
    return (
      <button
        type="button"
        aria-label={`Take the role ${role} from ${visible(person)}`}
        onClick={() => (isOwn ? setAsked(true) : take())}
      >
        {isOwn ? 'Take it away…' : 'Take it away'}
      </button>
    );
  return (
    <span class="row-of-buttons">
      <span class="warn">It is your own role; you may not be able to give it back.</span>
      <button type="button" class="danger" onClick={take}>
        Take it away
      </button>
      <button type="button" onClick={() => setAsked(false)}>
        Keep it
      </button>
    </span>
  );
}

interface RoleChange {
  readonly scope: string;
  readonly person: string;
  readonly role: WireRole | null;
  readonly before: WireRole | null;
}

async function setMember({ scope, person, role, before }: RoleChange): Promise<void> {
  const answer = await changes.setRole(scope, person, role);
  if (!answer.ok) {
    notifyFailure(answer.failure);
    return;
  }
  const where = scope === EVERY ? 'every scope' : `@${scope}`;
  notify({
    kind: 'done',
    text: role === null ? `${person} has no role in ${where} any more.` : `${person} is ${role} of ${where}.`,
    undo: () => void setMember({ scope, person, role: before, before: role }),
  });
}
