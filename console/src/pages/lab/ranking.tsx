import type { JSX } from 'preact';

import type { LabResult, LabView, ScoreKind } from '../../lib/answers.ts';
import { choose, route } from '../../lib/route.ts';
import { visible } from '../../lib/visible-text.ts';
import { Hint } from '../../parts/hint.tsx';
import { Legend } from '../../parts/legend.tsx';
import { Link } from '../../parts/link.tsx';
import { Next } from '../../parts/next.tsx';
import { NotComplete } from '../../parts/not-complete.tsx';
import { StackedBar } from '../../parts/stacked-bar.tsx';
import { SaveCase } from './save-case.tsx';

/** The pieces of a bar, in the order of their colours. */
const SERIES = ['words', 'sections', 'name', 'pairs', 'history'] as const satisfies readonly ScoreKind[];
const NAMES: Readonly<Record<Exclude<ScoreKind, 'excluded'>, string>> = {
  words: 'shared words',
  sections: 'one section has them',
  name: 'said in its name',
  pairs: 'neighbouring words',
  history: 'chosen before',
  literal: 'word for word',
};

interface RankingProps {
  readonly request: string;
  readonly view: LabView;
}

/** The ranking of a request; each row can be kept as the right answer. */
export function Ranking({ request, view: { results, partial, unusable } }: RankingProps): JSX.Element {
  const chosen = route.value.params['case'];
  return (
    <section class="stack" aria-label="Ranking">
      <div class="head">
        <h2>Ranking</h2>
        {results.length > 0 && <Legend names={SERIES.map((kind) => NAMES[kind])} />}
      </div>
      <NotComplete gaps={partial} />
      {unusable !== undefined && (
        <div class="warn">
          {visible(unusable.name)} is {unusable.status}: <Hint text={unusable.reasons.join('; ')} />
          {unusable.next !== undefined && <Next step={unusable.next} />}
        </div>
      )}
      {results.length === 0 && <p class="muted">No skill shares a word with this request.</p>}
      <ol class="ranking">
        {results.map((result) => (
          <li key={result.name} class={result.isWeak ? 'weak' : ''}>
            <Row result={result} isChosen={chosen === result.name} />
            {chosen === result.name && <SaveCase request={request} skill={result.name} />}
          </li>
        ))}
      </ol>
    </section>
  );
}

function Row({ result, isChosen }: { readonly result: LabResult; readonly isChosen: boolean }): JSX.Element {
  const { name, score, confidence, isWeak, reasons, pieces } = result;
  // A request that is in the skill word for word has a score of one piece.
  const added = pieces.flatMap(({ kind, points }) =>
    kind === 'excluded'
      ? []
      : [
          {
            name: NAMES[kind],
            series: Math.max(
              0,
              SERIES.findIndex((one) => one === kind),
            ),
            value: points,
          },
        ],
  );
  const isExcluded = pieces.some(({ kind }) => kind === 'excluded');
  return (
    <>
      <div class="ranked">
        <Link page="skill" params={{ name }} class="mono">
          {visible(name)}
        </Link>
        <StackedBar pieces={added} share={score} />
        <span class="number" title="The score">
          {score.toFixed(2)}
        </span>
        <span class="number muted" title="How likely it is that this skill serves the request">
          {Math.round(100 * confidence)} % sure
        </span>
        <button
          type="button"
          class="plain"
          aria-expanded={isChosen}
          onClick={() => choose({ case: isChosen ? undefined : name, not: undefined })}
        >
          Save as eval…
        </button>
      </div>
      <p class="muted">
        {isWeak && 'weak · '}
        {isExcluded && 'its description keeps some of these words away · '}
        {visible(reasons.join('; '))}
      </p>
    </>
  );
}
