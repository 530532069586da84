import type { JSX } from 'preact';

import type { HealthCheck, Repair } from '../../../src/http/wire/health.ts';
import { change } from '../lib/api.ts';
import { notify, notifyFailure } from '../lib/notices.ts';
import { useSession } from '../lib/session.ts';
import { useRead } from '../lib/use-read.ts';
import { visible } from '../lib/visible-text.ts';
import { Hint } from '../parts/hint.tsx';
import { Trouble } from '../parts/trouble.tsx';

/** Everything that Skillplane rests on, with a button where the remedy is one action. */
export function HealthPage(): JSX.Element {
  const { value, failure } = useRead('health', {});
  const order = ['error', 'warning', 'info', 'ok'];
  const checks = value?.checks.toSorted((a, b) => order.indexOf(a.status) - order.indexOf(b.status));
  return (
    <div class="page">
      <h1>Health</h1>
      {failure !== undefined && <Trouble failure={failure} />}
      {checks === undefined ? (
        <p class="muted">Looking…</p>
      ) : (
        <ul class="checks">
          {checks.map((check) => (
            <CheckLine key={`${check.area} ${check.detail}`} check={check} />
          ))}
        </ul>
      )}
    </div>
  );
}

const SIGNS = { ok: '✓', info: '·', warning: '!', error: '✗' } as const;
const KINDS = { ok: 'good', info: 'muted', warning: 'warn', error: 'bad' } as const;

function CheckLine({ check: { area, status, detail, remedy, repair } }: { readonly check: HealthCheck }): JSX.Element {
  const { isReadOnly } = useSession();
  return (
    <li>
      <span class={`sign ${KINDS[status]}`}>
        <span aria-hidden="true">{SIGNS[status]}</span>
        <span class="unseen">{status}</span>
      </span>
      <strong class="area">{area}</strong>
      <div class="detail">
        <p>
          <Hint text={detail} />
        </p>
        {remedy !== null && (
          <p class="muted">
            <Hint text={remedy} />
          </p>
        )}
      </div>
      {repair !== null && (
        <button type="button" disabled={isReadOnly} title={describe(repair)} onClick={() => void mend(repair)}>
          {LABELS[repair.kind]}
        </button>
      )}
    </li>
  );
}

const LABELS = { setting: 'Change it', fix: 'Fix it', copy: 'Update it' } as const;

/** Says what the button will change. */
function describe(repair: Repair): string {
  if (repair.kind === 'fix') return visible(`Rewrites the SKILL.md of ${repair.skill} where there is one right form`);
  if (repair.kind === 'copy') return visible(`Updates your copy of ${repair.skill} and keeps your changes`);
  return `${repair.change === 'add' ? 'Adds' : 'Sets'} ${repair.value} ${repair.change === 'add' ? 'to' : 'as'} ${repair.setting} in your config.yaml`;
}

async function mend(repair: Repair): Promise<void> {
  const answer = await change('health/repair', repair);
  if (answer.ok) notify({ kind: 'done', text: answer.value.said, detail: describe(repair) });
  else notifyFailure(answer.failure);
}
