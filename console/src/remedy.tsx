import type { JSX } from 'preact';

import type { SkillRow } from './lib/answers.ts';
import { useSession } from './lib/session.ts';
import type { SkillProblem } from './lib/skill-problem.ts';
import { switchSkills } from './lib/switching.ts';
import { visible } from './lib/visible-text.ts';
import { Link } from './parts/link.tsx';

const PLACES = { review: 'trust', look: undefined, choose: undefined } as const;
const LABELS = { review: 'Review…', look: 'Details', choose: 'Keep one…' } as const;

interface RemedyProps {
  readonly row: Pick<SkillRow, 'name'>;
  readonly remedy: SkillProblem['remedy'];
  readonly size?: 'small';
}

/** The one button of a skill with a problem. */
export function Remedy({ row: { name }, remedy, size }: RemedyProps): JSX.Element | null {
  const { isReadOnly } = useSession();
  if (remedy !== 'disable')
    return (
      <Link page="skill" params={{ name, tab: PLACES[remedy] }} class={size === undefined ? 'button' : 'button small'}>
        {LABELS[remedy]}
        <span class="unseen"> {visible(name)}</span>
      </Link>
    );
  if (isReadOnly) return null;
  return (
    <button type="button" class={size} onClick={() => void switchSkills([name], 'disabled')}>
      Disable<span class="unseen"> {visible(name)}</span>
    </button>
  );
}
