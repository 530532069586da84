import type { JSX } from 'preact';
import { useState } from 'preact/hooks';

import type { NewTokenAnswer, TokenAnswer } from '../../../../hub/src/http/wire.ts';
import { notify, notifyFailure } from '../../lib/notices.ts';
import { visible } from '../../lib/visible-text.ts';
import { since } from '../../lib/words.ts';
import { DataTable } from '../../parts/data-table.tsx';
import { Trouble } from '../../parts/trouble.tsx';
import { changes, questions } from '../lib/api.ts';
import { dayOf } from '../lib/labels.ts';
import { mayAnywhere, session } from '../lib/session.ts';
import { isOver } from '../lib/tokens.ts';
import { useAsk } from '../lib/use-ask.ts';
import { NewToken } from './tokens/new-token.tsx';

/** Tokens: who has which rights, until when, and when they were last used. */
export function TokensPage(): JSX.Element {
  const { value, failure } = useAsk(questions.tokens());
  const [made, setMade] = useState<NewTokenAnswer>();
  return (
    <div class="page">
      <h1>Tokens</h1>
      {made !== undefined && <Secret made={made} onDone={() => setMade(undefined)} />}
      {mayAnywhere('owner') ? (
        <NewToken onMade={setMade} />
      ) : (
        <p class="muted">These are yours. An owner of a scope makes new ones.</p>
      )}
      {failure !== undefined && <Trouble failure={failure} />}
      {value !== undefined && <TokenTable tokens={value.tokens} />}
    </div>
  );
}

interface SecretProps {
  readonly made: NewTokenAnswer;
  readonly onDone: () => void;
}

/** The one time that a token is shown. */
function Secret({ made: { secret, token }, onDone }: SecretProps): JSX.Element {
  const address = session.value?.publicUrl ?? location.origin;
  const copy = async (): Promise<void> => {
    await navigator.clipboard.writeText(secret);
    notify({ kind: 'done', text: 'Copied.' });
  };
  return (
    <section class="paper stack" aria-label="The new token">
      <h2>
        The token <bdi>{visible(token.name)}</bdi> of <bdi>{visible(token.person)}</bdi>, shown only now
      </h2>
      <pre tabIndex={0} class="secret">
        {secret}
      </pre>
      <p class="muted">
        <code>skillplane login {address}</code> asks for it, and so does this page. Nobody can show it again.
      </p>
      <div class="row-of-buttons">
        <button type="button" class="main" onClick={() => void copy()}>
          Copy
        </button>
        <button type="button" onClick={onDone}>
          I have kept it
        </button>
      </div>
    </section>
  );
}

function TokenTable({ tokens }: { readonly tokens: readonly TokenAnswer[] }): JSX.Element {
  const [revoking, setRevoking] = useState<number>();
  if (tokens.length === 0) return <p class="muted">There are no tokens that you may see.</p>;
  return (
    <DataTable label="Tokens" columns={['Token', 'Person', 'May', 'Made', 'Last used', 'Valid', ['Action', 'unseen']]}>
      {tokens.map((token) => (
        <tr key={token.id} class={isOver(token) ? 'muted' : ''}>
          <th scope="row">
            <bdi>{visible(token.name)}</bdi>
          </th>
          <td>
            <bdi>{visible(token.person)}</bdi>
          </td>
          <td>
            {token.role} of {describeScopes(token.scopes)}
          </td>
          <td>
            {dayOf(token.createdAt)} by <bdi>{visible(token.createdBy)}</bdi>
          </td>
          <td>{since(token.lastUsedAt)}</td>
          <td>{describeEnd(token)}</td>
          <td>
            {!isOver(token) && (
              <Revoke
                token={token}
                isAsked={revoking === token.id}
                onAsk={(isAsked) => setRevoking(isAsked ? token.id : undefined)}
              />
            )}
          </td>
        </tr>
      ))}
    </DataTable>
  );
}

function describeEnd(token: TokenAnswer): string {
  const { revokedAt, expiresAt } = token;
  if (revokedAt !== null) return `revoked on ${dayOf(revokedAt)}`;
  if (expiresAt === null) return 'always';
  return isOver(token) ? `expired on ${dayOf(expiresAt)}` : `until ${dayOf(expiresAt)}`;
}

function describeScopes(scopes: readonly string[] | null): string {
  return scopes === null ? 'every scope' : scopes.map((scope) => `@${scope}`).join(', ');
}

interface RevokeProps {
  readonly token: TokenAnswer;
  readonly isAsked: boolean;
  readonly onAsk: (isAsked: boolean) => void;
}

/** Asks once, because it cannot be undone. */
function Revoke({ token: { id, name, person }, isAsked, onAsk }: RevokeProps): JSX.Element {
  const revoke = async (): Promise<void> => {
    const answer = await changes.revokeToken(id);
    onAsk(false);
    if (answer.ok) notify({ kind: 'done', text: `Revoked the token ${name} of ${person}.` });
    else notifyFailure(answer.failure);
  };
  if (!isAsked)
    return (
      <button type="button" aria-label={`Revoke ${name} of ${person}…`} onClick={() => onAsk(true)}>
        Revoke…
      </button>
    );
  return (
    <span class="row-of-buttons">
      <span class="warn">It stops working at once, for good.</span>
      <button type="button" class="danger" onClick={() => void revoke()}>
        Revoke it
      </button>
      <button type="button" onClick={() => onAsk(false)}>
        Keep it
      </button>
    </span>
  );
}
