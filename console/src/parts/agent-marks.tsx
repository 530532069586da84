import type { JSX } from 'preact';

import type { AgentMark, MarkKind } from '../lib/agent-marks.ts';
import type { ConsoleSession } from '../lib/answers.ts';
import { visible } from '../lib/visible-text.ts';

const WORDS: Readonly<Record<MarkKind, string>> = {
  listed: 'listed',
  named: 'listed by name only',
  still: 'still listed',
  missed: 'not visible',
  none: 'not given',
};

interface AgentMarksProps {
  /** Undefined until it is known. */
  readonly marks: readonly AgentMark[] | undefined;
}

/** Which agents have a skill: a mark each, in fixed places. */
export function AgentMarks({ marks = [] }: AgentMarksProps): JSX.Element {
  return (
    <span class="marks">
      {marks.map(({ agent: { id, title, mark }, kind, because }) => {
        const said = `${title}: ${WORDS[kind]}`;
        const why = because === undefined ? '' : ` (${visible(because)})`;
        return (
          <span key={id} class={`agent-mark ${kind}`} title={`${said}${why}`}>
            <span aria-hidden="true">{kind === 'missed' || kind === 'still' ? '!' : kind === 'none' ? '–' : mark}</span>
            <span class="unseen">{said}. </span>
          </span>
        );
      })}
    </span>
  );
}

/** Says in words what the marks stand for. */
export function MarkLegend({ agents }: { readonly agents: ConsoleSession['hosts'] }): JSX.Element {
  return (
    <span class="mark-legend" aria-hidden="true">
      {agents.map(({ mark, title }) => `${mark} ${title}`).join(' · ')} · dashed: by name only · !: a problem · –: not
      given
    </span>
  );
}
