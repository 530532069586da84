import type { JSX } from 'preact';
import { useMemo } from 'preact/hooks';

import type { FoundRow, RecentUse, SkillRow } from '../../lib/answers.ts';
import { visible } from '../../lib/visible-text.ts';
import { counted } from '../../lib/words.ts';
import { Link } from '../../parts/link.tsx';
import { Marked } from '../../parts/marked.tsx';
import { Sparkline } from '../../parts/sparkline.tsx';
import { StateMark } from '../../parts/state-mark.tsx';

interface SkillLineProps {
  readonly row: SkillRow;
  readonly found: FoundRow | undefined;
  readonly words: readonly string[];
  readonly use: RecentUse | undefined;
  readonly isSelected: boolean;
  /** Which line it is. */
  readonly at: number;
  /** Both must stay the same functions, for a line is drawn again only where it changed. */
  readonly onSelect: (name: string) => void;
  readonly onFocus: (at: number) => void;
}

/** One skill in the list: its state with the reason, its name, what it does, where it is from, and its use. */
export function SkillLine(props: SkillLineProps): JSX.Element {
  const { row, found, words, use, isSelected, at } = props;
  // A list that was asked for again has other objects that say the same.
  const content = JSON.stringify(row);
  return useMemo(() => drawLine(props), [content, found, words, use, isSelected, at]);
}

function drawLine({ row, found, words, use, isSelected, at, onSelect, onFocus }: SkillLineProps): JSX.Element {
  const reason = reasonOf(row);
  return (
    <div class="skill-line" onFocusIn={() => onFocus(at)}>
      <input
        type="checkbox"
        checked={isSelected}
        onChange={() => onSelect(row.name)}
        aria-label={`Select ${row.name}`}
      />
      <StateMark state={row.state} />
      <Link page="skill" params={{ name: row.name }} class="name" title={row.file}>
        <Marked text={row.name} words={words} />
      </Link>
      <span class="about">
        {reason !== undefined && <Reason {...reason} />}
        <Marked text={row.brief} words={words} />
      </span>
      <span class="badges">
        {row.isWithheld === true && (
          <span class="badge bad" title="Models do not get its text because of its audit.">
            withheld
          </span>
        )}
        {row.isPinned && <span class="badge">pinned</span>}
        {row.isHidden && <span class="badge">hidden</span>}
        {row.shadows !== undefined && (
          <span class="badge" title={`${counted(row.shadows, 'other copy', 'other copies')} of this name`}>
            hides {row.shadows}
          </span>
        )}
      </span>
      {found !== undefined && <Found found={found} />}
      <span class="source muted">{row.source}</span>
      <span class="uses">
        {use !== undefined && <Sparkline values={use.series} label={`${counted(use.uses, 'use')} in twelve weeks`} />}
        <span class="number">{use?.uses ?? ''}</span>
      </span>
    </div>
  );
}

interface ReasonText {
  readonly kind: 'warn' | 'bad' | 'muted';
  readonly text: string;
  readonly why: string;
}

function Reason({ kind, text, why }: ReasonText): JSX.Element {
  return (
    <span class={`reason ${kind}`} title={visible(why)}>
      {visible(text)}
      {why !== text && <span class="whole">: {visible(why)}</span>}
      <span aria-hidden="true"> · </span>
    </span>
  );
}

/** Why a skill is not as it should be, short enough for a line; the whole reason shows on hover, on focus and on its page. */
function reasonOf({ state, reasons = [], shadowedBy, flaw }: SkillRow): ReasonText | undefined {
  const why = reasons.join('; ');
  if (shadowedBy !== undefined) return { kind: 'muted', text: 'shadowed', why: `${shadowedBy} has its name` };
  if (state === 'broken') return { kind: 'bad', text: flaw ?? why, why };
  if (state === 'unavailable') return { kind: 'warn', text: why, why };
  if (state === 'disabled') return { kind: 'muted', text: 'disabled', why };
  return undefined;
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
