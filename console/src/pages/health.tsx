import type { ComponentChildren, JSX } from 'preact';
import { useEffect } from 'preact/hooks';

import type { HealthCheck } from '../lib/answers.ts';
import { otherProblems } from '../lib/attention.ts';
import { revision } from '../lib/connection.ts';
import { useSession } from '../lib/session.ts';
import { useProblems } from '../lib/use-problems.ts';
import { useRead } from '../lib/use-read.ts';
import { visible } from '../lib/visible-text.ts';
import { counted, shortPath } from '../lib/words.ts';
import { Hint } from '../parts/hint.tsx';
import { Trouble } from '../parts/trouble.tsx';
import { CheckLine, groupAlike, nameArea, type Alike } from './health/check-line.tsx';
import { ProblemList } from './health/problem-list.tsx';
import { AuditRest, countUnaudited } from './skills/audit-rest.tsx';

/** Checks that the problems of skills and lists say in more detail. */
const SHOWN_APART: ReadonlySet<string> = new Set(['skills', 'lists']);

/** Everything that Skillplane rests on: the problems first, with a button each; what is well takes one line. */
export function HealthPage(): JSX.Element {
  const { value, failure, isCurrent } = useRead('health', {});
  const { home } = useSession();
  const problems = useProblems();
  const checks = value?.checks ?? [];
  const isProblem = ({ status }: HealthCheck): boolean => status === 'error' || status === 'warning';
  const others = checks.filter((check) => isProblem(check) && !SHOWN_APART.has(check.area));
  const passed = groupAlike(checks.filter(({ status }) => status === 'ok'));
  useEffect(() => {
    if (value !== undefined) otherProblems.value = others.length;
  }, [value]);
  const count = value === undefined ? undefined : problems.count;
  return (
    <div class="page narrow">
      <div class="head">
        <h1>Health</h1>
        {count !== undefined && (
          <span class="muted" role="status">
            {count === 0 ? 'no problems' : counted(count, 'problem')}
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
      {count !== undefined && count > 0 && <ProblemList problems={problems} others={groupAlike(others)} />}
      {value !== undefined && <OptionalList checks={groupAlike(checks.filter(({ status }) => status === 'info'))} />}
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

function OptionalList({ checks }: { readonly checks: readonly Alike[] }): JSX.Element | null {
  const { isReadOnly } = useSession();
  const rows = useRead('skills', {}).value?.skills ?? [];
  const unaudited = countUnaudited(rows);
  if (checks.length === 0 && unaudited === 0) return null;
  return (
    <section class="section" aria-label="Optional">
      <h2>Optional</h2>
      <ul class="facts-list">
        {checks.map(([first, ...others]) => (
          <CheckLine key={`${first.area} ${first.detail}`} check={first} others={others} />
        ))}
        {unaudited > 0 && (
          <li>
            <span class="sign muted" aria-hidden="true">
              ·
            </span>
            <div>
              <p>
                {counted(unaudited, 'skill')} {unaudited === 1 ? 'is' : 'are'} not audited
              </p>
              <p>An audit reads every file; it runs nothing.</p>
            </div>
            <div class="row-actions">{!isReadOnly && <AuditRest rows={rows} />}</div>
          </li>
        )}
      </ul>
    </section>
  );
}
