import type { ComponentChildren, JSX } from 'preact';
import { useEffect } from 'preact/hooks';

import { describeNext, type NextStep } from '../../../src/model/next-step.ts';
import type { HealthCheck } from '../lib/answers.ts';
import { healthProblems } from '../lib/attention.ts';
import { revision } from '../lib/connection.ts';
import { useSession } from '../lib/session.ts';
import { useRead } from '../lib/use-read.ts';
import { visible } from '../lib/visible-text.ts';
import { counted, grouped, shortPath } from '../lib/words.ts';
import { Hint } from '../parts/hint.tsx';
import { stepActions } from '../parts/next.tsx';
import { Trouble } from '../parts/trouble.tsx';
import { actionOf } from '../step-action.tsx';

/** Everything that Skillplane rests on: the problems first, with a button each; what is well takes one line. */
export function HealthPage(): JSX.Element {
  const { value, failure, isCurrent } = useRead('health', {});
  const { home } = useSession();
  const of = (...kinds: readonly HealthCheck['status'][]): readonly Alike[] =>
    groupAlike(kinds.flatMap((kind) => (value?.checks ?? []).filter(({ status }) => status === kind)));
  const [problems, optional, passed] = [of('error', 'warning'), of('info'), of('ok')];
  useEffect(() => {
    if (value !== undefined) healthProblems.value = problems.length;
  }, [value]);
  return (
    <div class="page narrow">
      <div class="head">
        <h1>Health</h1>
        {value !== undefined && (
          <span class="muted" role="status">
            {problems.length === 0 ? 'no problems' : counted(problems.length, 'problem')}
          </span>
        )}
        <div class="actions">
          <button type="button" disabled={!isCurrent} onClick={() => (revision.value += 1)}>
            {isCurrent ? 'Check again' : 'Checking…'}
          </button>
        </div>
      </div>
      {failure !== undefined && <Trouble failure={failure} />}
      {value === undefined && failure === undefined && <p class="muted">Checking…</p>}
      {problems.length > 0 && <CheckList title="Problems" checks={problems} />}
      {optional.length > 0 && <CheckList title="Optional" checks={optional} />}
      {value !== undefined && (
        <section>
          <Fold sign="✓" kind="good" text={`${counted(passed.length, 'check')} passed: ${nameAreas(passed)}`}>
            {passed.map(([{ area, detail }]) => (
              <Fact key={`${area} ${detail}`} area={nameArea(area)}>
                <Hint text={detail} />
              </Fact>
            ))}
          </Fold>
          {value.missing.length > 0 && (
            <Fold
              sign="·"
              kind="muted"
              text={`${counted(value.missing.length, 'optional folder')} ${value.missing.length === 1 ? 'does' : 'do'} not exist`}
            >
              {value.missing.map(({ id, path }) => (
                <Fact key={path} area={id}>
                  <span class="mono">{visible(shortPath(path, home))}</span>
                </Fact>
              ))}
            </Fold>
          )}
        </section>
      )}
    </div>
  );
}

function nameAreas(checks: readonly Alike[]): string {
  const counts = new Map<string, number>();
  for (const [{ area }] of checks) counts.set(nameArea(area), (counts.get(nameArea(area)) ?? 0) + 1);
  return [...counts].map(([area, count]) => (count === 1 ? area : `${area} (${count})`)).join(', ');
}

interface FoldProps {
  readonly sign: string;
  readonly kind: string;
  readonly text: string;
  readonly children: ComponentChildren;
}

function Fold({ sign, kind, text, children }: FoldProps): JSX.Element {
  return (
    <details class="fold">
      <summary>
        <span class={kind} aria-hidden="true">
          {sign}
        </span>{' '}
        {text}
      </summary>
      <dl>{children}</dl>
    </details>
  );
}

function Fact({ area, children }: { readonly area: string; readonly children: ComponentChildren }): JSX.Element {
  return (
    <>
      <dt class="muted">{area}</dt>
      <dd>{children}</dd>
    </>
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

function nameArea(area: string): string {
  return AREAS[area] ?? area;
}

const SIGNS = { ok: '✓', info: '·', warning: '!', error: '✕' } as const;
const KINDS = { ok: 'good', info: 'muted', warning: 'warn', error: 'bad' } as const;

function CheckList({ title, checks }: { readonly title: string; readonly checks: readonly Alike[] }): JSX.Element {
  return (
    <section class="section" aria-label={title}>
      <h2>{title}</h2>
      <ul class="facts-list">
        {checks.map(([first, ...others]) => (
          <CheckLine key={`${first.area} ${first.detail}`} check={first} others={others} />
        ))}
      </ul>
    </section>
  );
}

interface CheckLineProps {
  readonly check: HealthCheck;
  readonly others: readonly HealthCheck[];
}

function CheckLine({ check: { area, status, detail, next }, others }: CheckLineProps): JSX.Element {
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
