import type { JSX } from 'preact';

import { describeNext, type NextStep } from '../../../../src/model/next-step.ts';
import type { HealthCheck } from '../../lib/answers.ts';
import { grouped } from '../../lib/words.ts';
import { Hint } from '../../parts/hint.tsx';
import { stepActions } from '../../parts/next.tsx';
import { actionOf } from '../../step-action.tsx';

export type Alike = readonly [first: HealthCheck, ...others: HealthCheck[]];

/** Neighbours that ask the same of a person are one line: a hundred of them would hide everything else. */
export function groupAlike(checks: readonly HealthCheck[]): readonly Alike[] {
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

/** Checks call their areas as the code does. */
const AREAS: Readonly<Record<string, string>> = {
  node: 'Node.js',
  config: 'settings',
  source: 'folder',
  plugins: 'installed',
  hosts: 'agents',
  mcp: 'MCP server',
  slash: 'slash commands',
};

export function nameArea(area: string): string {
  return AREAS[area] ?? area;
}

const SIGNS = { ok: '✓', info: '·', warning: '!', error: '✕' } as const;
const KINDS = { ok: 'good', info: 'muted', warning: 'warn', error: 'bad' } as const;

interface CheckLineProps {
  readonly check: HealthCheck;
  readonly others: readonly HealthCheck[];
}

/** The result of a check, with what to do about it. */
export function CheckLine({ check: { area, status, detail, next }, others }: CheckLineProps): JSX.Element {
  const { words, actions } = next === undefined ? { words: [], actions: [] } : stepActions(next, actionOf);
  return (
    <li>
      <span class={`sign ${KINDS[status]}`}>
        <span aria-hidden="true">{SIGNS[status]}</span>
        <span class="unseen">{status}</span>
      </span>
      <div>
        <p>
          <span class="muted">{nameArea(area)} · </span>
          <Hint text={detail} />
        </p>
        {words.map((step, at) => (
          <p key={at}>
            <Hint text={describeNext(step)} />
          </p>
        ))}
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
      <div class="row-actions">{actions}</div>
    </li>
  );
}
