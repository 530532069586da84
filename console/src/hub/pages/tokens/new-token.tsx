import type { JSX } from 'preact';
import { useState } from 'preact/hooks';

import type { NewTokenAnswer, WireRole } from '../../../../../hub/src/http/wire.ts';
import { notifyFailure } from '../../../lib/notices.ts';
import { visible } from '../../../lib/visible-text.ts';
import { changes, questions } from '../../lib/api.ts';
import { mayEverywhere, mayIn, ROLE_MEANINGS, ROLE_NAMES } from '../../lib/session.ts';
import { useAsk } from '../../lib/use-ask.ts';
import { TextField } from '../../parts/text-field.tsx';

const DAYS: readonly (readonly [days: string, text: string])[] = [
  ['7', '7 days'],
  ['30', '30 days'],
  ['90', '90 days'],
  ['365', 'a year'],
  ['', 'until it is revoked'],
];

/** Makes a token that can do no more than its maker may give. */
export function NewToken({ onMade }: { readonly onMade: (made: NewTokenAnswer) => void }): JSX.Element {
  const [name, setName] = useState('');
  const [person, setPerson] = useState('');
  const [role, setRole] = useState<WireRole>('reader');
  const [chosen, setChosen] = useState<readonly string[]>([]);
  const [days, setDays] = useState('90');
  const owned = (useAsk(questions.scopes()).value?.scopes ?? []).filter((scope) => mayIn('owner', scope.name));
  const isEverywhere = role === 'admin' || (chosen.length === 0 && mayEverywhere('owner'));
  const isReady = name.trim() !== '' && person.trim() !== '' && (isEverywhere || chosen.length > 0);
  const make = async (): Promise<void> => {
    const answer = await changes.makeToken({
      name: name.trim(),
      person: person.trim(),
      role,
      scopes: isEverywhere ? null : chosen,
      days: days === '' ? null : Number(days),
    });
    if (!answer.ok) {
      notifyFailure(answer.failure);
      return;
    }
    setName('');
    onMade(answer.value);
  };
  return (
    <details class="new-token">
      <summary>Make a token</summary>
      <form
        class="stack"
        onSubmit={(event) => {
          event.preventDefault();
          void make();
        }}
      >
        <div class="fields">
          <TextField label="For whom" hint="ann, or ci" value={person} onChange={setPerson} />
          <TextField label="Name" hint="laptop" value={name} onChange={setName} />
          <label class="field">
            Role
            <select
              class="choice"
              value={role}
              onChange={({ currentTarget }) =>
                setRole(ROLE_NAMES.find((one) => one === currentTarget.value) ?? 'reader')
              }
            >
              {ROLE_NAMES.filter((one) => one !== 'admin' || mayEverywhere('admin')).map((one) => (
                <option key={one} value={one}>
                  {ROLE_MEANINGS[one]}
                </option>
              ))}
            </select>
          </label>
          <label class="field">
            Valid for
            <select class="choice" value={days} onChange={({ currentTarget }) => setDays(currentTarget.value)}>
              {DAYS.map(([value, text]) => (
                <option key={value} value={value}>
                  {text}
                </option>
              ))}
            </select>
          </label>
        </div>
        {role !== 'admin' && (
          <ScopeBoxes names={owned.map((scope) => scope.name)} chosen={chosen} onChoose={setChosen} />
        )}
        <div class="row-of-buttons">
          <button type="submit" class="main" disabled={!isReady}>
            Make the token
          </button>
          {isReady && (
            <span class="muted">
              {role} of {isEverywhere ? 'every scope, also of later ones' : chosen.map((one) => `@${one}`).join(', ')}
            </span>
          )}
        </div>
      </form>
    </details>
  );
}

interface ScopeBoxesProps {
  readonly names: readonly string[];
  readonly chosen: readonly string[];
  readonly onChoose: (chosen: readonly string[]) => void;
}

function ScopeBoxes({ names, chosen, onChoose }: ScopeBoxesProps): JSX.Element {
  return (
    <fieldset>
      <legend>Scopes</legend>
      <div class="row-of-buttons">
        {names.map((name) => (
          <label key={name}>
            <input
              type="checkbox"
              checked={chosen.includes(name)}
              onChange={({ currentTarget }) =>
                onChoose(currentTarget.checked ? [...chosen, name] : chosen.filter((one) => one !== name))
              }
            />{' '}
            @{visible(name)}
          </label>
        ))}
        {names.length === 0 && <span class="muted">There are no scopes that you own.</span>}
      </div>
    </fieldset>
  );
}
