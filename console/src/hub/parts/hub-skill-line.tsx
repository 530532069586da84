import type { JSX } from 'preact';

import type { FoundAnswer } from '../../../../hub/src/http/wire.ts';
import { visible } from '../../lib/visible-text.ts';
import { counted, grouped, since } from '../../lib/words.ts';
import { Marked } from '../../parts/marked.tsx';
import { Sparkline } from '../../parts/sparkline.tsx';
import { labelOf } from '../lib/labels.ts';
import type { RankedSkill } from '../lib/rank.ts';
import { HubLink } from './hub-link.tsx';

interface HubSkillLineProps extends RankedSkill {
  readonly words: readonly string[];
  /** Uses in the last weeks; undefined if there are none. */
  readonly weeks: readonly number[] | undefined;
  readonly onFocus: () => void;
}

/** One skill in the list: its name and version, what it does, why it was found, and its use. */
export function HubSkillLine({ skill, found, words, weeks, onFocus }: HubSkillLineProps): JSX.Element {
  const label = labelOf(skill);
  const uses = weeks?.reduce((sum, count) => sum + count, 0);
  return (
    <div class="skill-line" onFocusIn={onFocus}>
      <HubLink page="skill" params={{ of: label }} class="name" title={visible(label)}>
        <Marked text={label} words={words} />
      </HubLink>
      <span class="release mono">{skill.version ?? <span class="warn">yanked</span>}</span>
      <span class="about">
        <Marked text={skill.description ?? ''} words={words} />
      </span>
      {found !== undefined && <Why found={found} />}
      <span class="source muted">{skill.publishedAt === null ? '' : since(skill.publishedAt)}</span>
      <span class="uses">
        {weeks !== undefined && <Sparkline values={weeks} label={`${counted(uses ?? 0, 'use')} in twelve weeks`} />}
        <span class="number">{uses === undefined ? '' : grouped(uses)}</span>
      </span>
    </div>
  );
}

function Why({ found: { score, weak, reasons } }: { readonly found: FoundAnswer }): JSX.Element {
  const why = visible(reasons.join('; '));
  return (
    <span class={weak === true ? 'found weak' : 'found'} title={why}>
      <span class="why">{weak === true ? `weak · ${why}` : why}</span>
      <span class="number">{score.toFixed(2)}</span>
    </span>
  );
}
