import type { ComponentChildren, JSX } from 'preact';

import { describeNext, type NextStep } from '../../../../src/model/next-step.ts';
import type { AgentColumn, SkillRow } from '../../lib/answers.ts';
import type { SkillProblem } from '../../lib/skill-problem.ts';
import type { Problems } from '../../lib/use-problems.ts';
import { visible } from '../../lib/visible-text.ts';
import { counted, grouped } from '../../lib/words.ts';
import { Hint } from '../../parts/hint.tsx';
import { Link } from '../../parts/link.tsx';
import { stepActions } from '../../parts/next.tsx';
import { Remedy } from '../../remedy.tsx';
import { actionOf } from '../../step-action.tsx';
import { CheckLine, type Alike } from './check-line.tsx';

interface ProblemListProps {
  readonly problems: Problems;
  /** Checks that concern no skill and no list. */
  readonly others: readonly Alike[];
}

/** Everything that does not work as it should, the worst first, with a button each. */
export function ProblemList({ problems: { skills, fullLists }, others }: ProblemListProps): JSX.Element {
  const groups = [...Map.groupBy(skills, ([, { state }]) => state).values()];
  const draw = (kind: SkillProblem['kind']): readonly JSX.Element[] => [
    ...groups
      .filter(([first]) => first?.[1].kind === kind)
      .map((some) => <SkillGroup key={some[0]?.[1].state} some={some} />),
    ...others
      .filter(([{ status }]) => (status === 'error') === (kind === 'bad'))
      .map(([first, ...rest]) => <CheckLine key={`${first.area} ${first.detail}`} check={first} others={rest} />),
  ];
  return (
    <section class="section" aria-label="Problems">
      <h2>Problems</h2>
      <ul class="facts-list">
        {fullLists.map((agent) => (
          <FullList key={agent.id} agent={agent} />
        ))}
        {draw('bad')}
        {draw('warn')}
      </ul>
    </section>
  );
}

interface LineProps {
  readonly kind: SkillProblem['kind'];
  readonly sign: string;
  readonly title: ComponentChildren;
  readonly reason: ComponentChildren;
  readonly more?: ComponentChildren;
  readonly actions?: ComponentChildren;
}

function Line({ kind, sign, title, reason, more, actions }: LineProps): JSX.Element {
  return (
    <li>
      <span class={`sign ${kind}`}>
        <span aria-hidden="true">{sign}</span>
        <span class="unseen">{kind === 'bad' ? 'error' : 'warning'}</span>
      </span>
      <div>
        <p>
          <b>{title}:</b> {reason}
        </p>
        {more !== undefined && <p>{more}</p>}
      </div>
      <div class="row-actions">{actions}</div>
    </li>
  );
}

function FullList({ agent: { title, room, counts } }: { readonly agent: AgentColumn }): JSX.Element {
  return (
    <Line
      kind="bad"
      sign="✕"
      title={`The skill list of ${visible(title)} is too long`}
      reason={room !== undefined && `${grouped(room.needed)} of ${grouped(room.limit)} ${room.unit}`}
      more={describeLoss(counts)}
      actions={
        <Link page="agents" class="button">
          Choose what to remove
        </Link>
      }
    />
  );
}

function describeLoss({ named, lost }: AgentColumn['counts']): string {
  const are = named === 1 ? 'is' : 'are';
  if (named > 0)
    return `${counted(named, 'skill')} ${are} listed by name only${lost > 0 ? `, and ${grouped(lost)} not at all` : ''}.`;
  return lost > 0 ? `Its model is not told of ${counted(lost, 'skill')}.` : 'Its model does not see all of it.';
}

type SkillWithProblem = readonly [row: SkillRow, problem: SkillProblem];

/** More of a kind would hide everything else. */
const MOST_ALIKE = 5;

function SkillGroup({ some }: { readonly some: readonly SkillWithProblem[] }): JSX.Element {
  const left = some.length - MOST_ALIKE;
  return (
    <>
      {some.slice(0, MOST_ALIKE).map(([row, problem]) => (
        <SkillProblemLine key={row.file} row={row} problem={problem} />
      ))}
      {left > 0 && (
        <li>
          <span />
          <p>
            and {grouped(left)} more like {left === 1 ? 'this' : 'these'}
          </p>
          <div class="row-actions">
            <Link page="skills" params={{ show: 'problems' }} class="button">
              Show them
            </Link>
          </div>
        </li>
      )}
    </>
  );
}

function SkillProblemLine({ row, problem }: { readonly row: SkillRow; readonly problem: SkillProblem }): JSX.Element {
  const { state, kind, sign, word, reason, remedy } = problem;
  const { words, actions } = stepsOf(row.next);
  return (
    <Line
      kind={kind}
      sign={sign}
      title={`${visible(row.name)} ${state === 'copied' ? 'has' : 'is'} ${word}`}
      reason={<Hint text={reason} />}
      more={words.length > 0 ? words.map((step, at) => <Hint key={at} text={`${describeNext(step)} `} />) : undefined}
      actions={actions.length > 0 ? actions : <Remedy row={row} remedy={remedy} />}
    />
  );
}

function stepsOf(next: NextStep | undefined): ReturnType<typeof stepActions> {
  return next === undefined ? { words: [], actions: [] } : stepActions(next, actionOf);
}
