import type { JSX } from 'preact';
import { useMemo } from 'preact/hooks';

import type { AgentMark } from '../../lib/agent-marks.ts';
import type { FoundRow, RecentUse, SkillRow } from '../../lib/answers.ts';
import { useSession } from '../../lib/session.ts';
import type { SkillProblem } from '../../lib/skill-problem.ts';
import { visible } from '../../lib/visible-text.ts';
import { counted, grouped } from '../../lib/words.ts';
import { AgentMarks } from '../../parts/agent-marks.tsx';
import { Link } from '../../parts/link.tsx';
import { Marked } from '../../parts/marked.tsx';
import { Sparkline } from '../../parts/sparkline.tsx';
import { Remedy } from '../../remedy.tsx';

interface SkillLineProps {
  readonly row: SkillRow;
  readonly found: FoundRow | undefined;
  readonly problem: SkillProblem | undefined;
  readonly marks: readonly AgentMark[] | undefined;
  readonly words: readonly string[];
  readonly use: RecentUse | undefined;
  readonly isSelected: boolean;
  /** Which line it is. */
  readonly at: number;
  /** Both must stay the same functions, for a line is drawn again only where it changed. */
  readonly onSelect: (name: string) => void;
  readonly onFocus: (at: number) => void;
}

/** One skill in the list: its name, the agents that have it, and what it does; or why it does not work, with one button. */
export function SkillLine(props: SkillLineProps): JSX.Element {
  const { row, found, problem, marks, words, use, isSelected, at } = props;
  const { isReadOnly } = useSession();
  // A list that was asked for again has other objects that say the same.
  const content = JSON.stringify([row, problem]);
  return useMemo(() => drawLine(props, isReadOnly), [content, found, marks, words, use, isSelected, at]);
}

function drawLine(
  { row, found, problem, marks, words, use, isSelected, at, onSelect, onFocus }: SkillLineProps,
  isReadOnly: boolean,
): JSX.Element {
  return (
    <div class={problem === undefined ? 'skill-row' : 'skill-row problem'} onFocusIn={() => onFocus(at)}>
      {!isReadOnly && (
        <input
          type="checkbox"
          checked={isSelected}
          onChange={() => onSelect(row.name)}
          aria-label={`Select ${row.name}`}
        />
      )}
      <Link page="skill" params={{ name: row.name }} class="name" title={row.file}>
        <Marked text={row.name} words={words} />
      </Link>
      <AgentMarks marks={marks} />
      <span class="about">
        {problem !== undefined && (
          <span class="reason" title={visible(problem.reason)}>
            <span class={problem.kind}>
              <span aria-hidden="true">{problem.sign}</span> {problem.word}
            </span>{' '}
            · {visible(problem.reason)}
          </span>
        )}
        {problem === undefined && row.state === 'disabled' && <span>disabled · </span>}
        {problem === undefined && row.shadowedBy !== undefined && <span>copy not used · </span>}
        {problem === undefined && row.isPinned && <span class="badge">pinned</span>}
        {problem === undefined && row.isHidden && <span class="badge">hidden</span>}
        {problem === undefined && <Marked text={row.brief} words={words} />}
      </span>
      {found !== undefined && <Found found={found} />}
      {problem === undefined ? (
        <>
          <span class="weeks">
            {use !== undefined && (
              <Sparkline values={use.series} label={`${counted(use.uses, 'use')} in twelve weeks`} />
            )}
          </span>
          <span class="number">{use === undefined ? <span class="muted">–</span> : grouped(use.uses)}</span>
        </>
      ) : (
        <span class="act">
          <Remedy row={row} remedy={problem.remedy} size="small" />
        </span>
      )}
    </div>
  );
}

function Found({ found: { score, isWeak, reasons } }: { readonly found: FoundRow }): JSX.Element {
  const why = visible(reasons.join('; '));
  return (
    <span class={isWeak ? 'found weak' : 'found'} title={why}>
      <span class="why">{isWeak ? `weak · ${why}` : why}</span>
      <span class="number">{score.toFixed(2)}</span>
    </span>
  );
}
