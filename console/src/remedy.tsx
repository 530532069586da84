import type { JSX } from 'preact';

import type { SkillRow } from './lib/answers.ts';
import type { SkillProblem } from './lib/skill-problem.ts';
import { visible } from './lib/visible-text.ts';
import { Link } from './parts/link.tsx';

interface RemedyProps {
  readonly row: Pick<SkillRow, 'name'>;
  readonly remedy: SkillProblem['remedy'];
  readonly size?: 'small';
}

/** The one button of a skill with a problem: it leads to where the skill's page says what to do. */
export function Remedy({ row: { name }, remedy: { label, tab }, size }: RemedyProps): JSX.Element {
  return (
    <Link page="skill" params={{ name, tab }} class={size === undefined ? 'button' : 'button small'}>
      {visible(label)}
      <span class="unseen"> {visible(name)}</span>
    </Link>
  );
}
