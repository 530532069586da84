import type { JSX } from 'preact';
import { useState } from 'preact/hooks';

import type { WireFailure } from '../../../src/http/wire.ts';
import { visible } from '../lib/visible-text.ts';
import { Trouble } from '../parts/trouble.tsx';
import { changes } from './lib/api.ts';
import { session } from './lib/session.ts';

interface SignInProps {
  /** Someone that a proxy has signed in, but who has no role here. */
  readonly person: string | null | undefined;
  /** Why an earlier token is no longer good. */
  readonly failure: WireFailure | undefined;
}

/** Takes a token once; from then on a cookie stands for it. */
export function SignInPage({ person, failure: earlier }: SignInProps): JSX.Element {
  const [token, setToken] = useState('');
  const [refused, setRefused] = useState<WireFailure>();
  const failure = refused ?? earlier;
  const [isSending, setSending] = useState(false);
  const signIn = async (): Promise<void> => {
    setSending(true);
    const answer = await changes.signIn(token);
    setSending(false);
    if (answer.ok) session.value = answer.value;
    else setRefused(answer.failure);
  };
  return (
    <main class="closed">
      <h1>Skillplane hub</h1>
      {person !== null && person !== undefined && (
        <p>
          You are <bdi>{visible(person)}</bdi>, and have no role here yet. Ask an owner of a scope for one, or sign in
          with a token.
        </p>
      )}
      {failure !== undefined && <Trouble failure={failure} />}
      <form
        class="stack"
        onSubmit={(event) => {
          event.preventDefault();
          void signIn();
        }}
      >
        <label class="field">
          Token
          <input
            type="password"
            autocomplete="off"
            spellcheck={false}
            required
            autofocus
            value={token}
            onInput={({ currentTarget: { value } }) => setToken(value)}
          />
        </label>
        <p class="muted">
          It begins with <code>sphub_</code>. An owner of your team makes one for you; the first was printed when the
          hub was started. This browser keeps it in a cookie that no script and no other site can read.
        </p>
        <div>
          <button type="submit" class="main" disabled={isSending || token.trim() === ''}>
            Sign in
          </button>
        </div>
      </form>
    </main>
  );
}
