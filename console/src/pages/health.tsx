import type { JSX } from 'preact';

import type { NextStep } from '../../../src/model/next-step.ts';
import type { HealthCheck } from '../lib/answers.ts';
import { useRead } from '../lib/use-read.ts';
import { grouped } from '../lib/words.ts';
import { Hint } from '../parts/hint.tsx';
import { Next } from '../parts/next.tsx';
import { Trouble } from '../parts/trouble.tsx';

/** Everything that Skillplane rests on, with a button where the console can do the next step. */
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

/** Neighbours that ask the same of a person are one line: a hundred of them would hide everything else. */
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
  return a.area === b.area && a.status === b.status && a.next !== undefined && sameSentence(a.next, b.next);
}

/** Only steps without a subject are the same for several. */
function sameSentence(a: NextStep, b: NextStep | undefined): boolean {
  if (b === undefined) return false;
  return ('ask' in a && 'ask' in b && a.to === b.to) || ('advice' in a && 'advice' in b && a.advice === b.advice);
}

const SIGNS = { ok: '✓', info: '·', warning: '!', error: '✗' } as const;
const KINDS = { ok: 'good', info: 'muted', warning: 'warn', error: 'bad' } as const;

interface CheckLineProps {
  readonly check: HealthCheck;
  readonly others: readonly HealthCheck[];
}

function CheckLine({ check: { area, status, detail, next }, others }: CheckLineProps): JSX.Element {
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
        {next !== undefined && <Next step={next} />}
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
    </li>
  );
}
