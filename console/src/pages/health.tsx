import type { JSX } from 'preact';
import { useState } from 'preact/hooks';

import type { HealthCheck, Repair } from '../../../src/http/wire/health.ts';
import { change } from '../lib/api.ts';
import { notify, notifyFailure } from '../lib/notices.ts';
import { useSession } from '../lib/session.ts';
import { useRead } from '../lib/use-read.ts';
import { visible } from '../lib/visible-text.ts';
import { grouped } from '../lib/words.ts';
import { Hint } from '../parts/hint.tsx';
import { Link } from '../parts/link.tsx';
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
      {checks === undefined && failure === undefined && <p class="muted">Looking…</p>}
      {checks !== undefined && (
        <ul class="checks">
          {groupAlike(checks).map(([first, ...others]) => (
            <CheckLine key={`${first.area} ${first.detail}`} check={first} others={others} />
          ))}
        </ul>
      )}
    </div>
  );
}

type Alike = readonly [first: HealthCheck, ...others: HealthCheck[]];

/** Neighbours that want the same remedy of a person are one line: a hundred of them would hide everything else. */
function groupAlike(checks: readonly HealthCheck[]): readonly Alike[] {
  const groups: [HealthCheck, ...HealthCheck[]][] = [];
  for (const check of checks) {
    const last = groups.at(-1);
    if (last !== undefined && isAlike(last[0], check)) last.push(check);
    else groups.push([check]);
  }
  return groups;
}

function isAlike(a: HealthCheck, b: HealthCheck): boolean {
  return (
    a.area === b.area && a.status === b.status && a.remedy === b.remedy && a.remedy !== null && !a.action && !b.action
  );
}

const SIGNS = { ok: '✓', info: '·', warning: '!', error: '✗' } as const;
const KINDS = { ok: 'good', info: 'muted', warning: 'warn', error: 'bad' } as const;

interface CheckLineProps {
  readonly check: HealthCheck;
  readonly others: readonly HealthCheck[];
}

function CheckLine({ check: { area, status, detail, remedy, action }, others }: CheckLineProps): JSX.Element {
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
        {others.length > 0 && (
          <details>
            <summary>and {grouped(others.length)} more like this</summary>
            {others.map((other) => (
              <p key={other.detail}>
                <Hint text={other.detail} />
              </p>
            ))}
          </details>
        )}
      </div>
      <Act action={action} />
    </li>
  );
}

/** Does the remedy if it is a single action. Connecting a host is shown first, on its own page. */
function Act({ action }: { readonly action: HealthCheck['action'] }): JSX.Element | null {
  const { isReadOnly } = useSession();
  const [isBusy, setBusy] = useState(false);
  if (action === null) return null;
  if (action.kind === 'connect')
    return (
      <Link page="hosts" params={{ tab: 'connections', connect: action.host }} class="button">
        Connect…
      </Link>
    );
  const act = async (): Promise<void> => {
    setBusy(true);
    await mend(action);
    setBusy(false);
  };
  return (
    <button type="button" disabled={isReadOnly || isBusy} title={describe(action)} onClick={() => void act()}>
      {LABELS[action.kind]}
    </button>
  );
}

const LABELS = { setting: 'Change it', fix: 'Fix it', copy: 'Update it', restore: 'Install it again' } as const;

/** Says what the button will change. */
function describe(repair: Repair): string {
  switch (repair.kind) {
    case 'fix':
      return visible(`Rewrites the SKILL.md in ${repair.dir} where there is one right form`);
    case 'copy':
      return visible(`Updates your copy of ${repair.skill} and keeps your changes`);
    case 'restore':
      return visible(`Fetches ${repair.skill} as the lock has it`);
    case 'setting':
    default:
      return `${SETTING_WORDS[repair.change]} ${repair.setting} in your config.yaml: ${repair.value}`;
  }
}

const SETTING_WORDS = { set: 'Sets', add: 'Adds to', remove: 'Removes from' } as const;

async function mend(repair: Repair): Promise<void> {
  const answer = await change('health/repair', repair);
  if (!answer.ok) {
    notifyFailure(answer.failure);
    return;
  }
  const { said, undo } = answer.value;
  notify({
    kind: 'done',
    text: said,
    detail: describe(repair),
    undo: undo === null ? undefined : () => void mend(undo),
  });
}
