import type { JSX } from 'preact';
import { useState } from 'preact/hooks';

import type { EvalSummary, LabView } from '../../../src/http/wire/lab.ts';
import { notifyFailure } from '../lib/notices.ts';
import { choose, route } from '../lib/route.ts';
import { useJob } from '../lib/use-job.ts';
import { useRead } from '../lib/use-read.ts';
import { visible } from '../lib/visible-text.ts';
import { counted } from '../lib/words.ts';
import { Link } from '../parts/link.tsx';
import { ProgressLine } from '../parts/progress-line.tsx';
import { Trouble } from '../parts/trouble.tsx';

/** A request, how it is ranked and why, what it triggers, and how the evals do. */
export function LabPage(): JSX.Element {
  const request = route.value.params['request'] ?? '';
  const { value, failure } = useRead('lab', request.trim() === '' ? undefined : { request });
  return (
    <div class="page">
      <h1>Search lab</h1>
      <div class="field">
        <label for="request">A request, as a user would write it</label>
        <textarea
          id="request"
          rows={2}
          placeholder="Fill in this form for the tax office…"
          value={request}
          onInput={({ currentTarget }) => choose({ request: currentTarget.value })}
        />
      </div>
      {failure !== undefined && <Trouble failure={failure} />}
      {value !== undefined && request.trim() !== '' && <Ranking view={value} />}
      <Evals />
    </div>
  );
}

function Ranking({ view }: { readonly view: LabView }): JSX.Element {
  const { results, matches, suggestions, tier, tokens, text } = view;
  return (
    <div class="columns">
      <section class="stack">
        <h2>Ranking</h2>
        {results.length === 0 && <p class="muted">No skill shares a word with this request.</p>}
        <ol class="ranking">
          {results.map(({ name, score, isWeak, reasons }) => (
            <li key={name} class={isWeak ? 'weak' : ''}>
              <Link page="skill" params={{ name }} class="mono">
                {visible(name)}
              </Link>
              <span class="bar" aria-hidden="true">
                <span style={{ width: `${Math.round(score * 100)}%` }} />
              </span>
              <span class="number">{score.toFixed(2)}</span>
              <span class="muted">
                {isWeak && 'weak · '}
                {visible(reasons.join('; '))}
              </span>
            </li>
          ))}
        </ol>
      </section>
      <section class="stack">
        <h2>Triggers</h2>
        {matches.map(({ name, reasons }) => (
          <p key={name}>
            <Link page="skill" params={{ name }} class="mono">
              {visible(name)}
            </Link>{' '}
            <span class="muted">{visible(reasons.join('; '))}</span>
          </p>
        ))}
        {matches.length === 0 && (
          <p class="muted">
            None fires.
            {suggestions.length > 0 && ` Closest: ${visible(suggestions.map(({ name }) => name).join(', '))}.`}
          </p>
        )}
        <h2>
          The model gets: {tier} <span class="count">{counted(tokens, 'token')}</span>
        </h2>
        {text !== '' && (
          <pre class="catalog-text" tabIndex={0}>
            {visible(text)}
          </pre>
        )}
      </section>
    </div>
  );
}

function Evals(): JSX.Element {
  const { progress, start, cancel } = useJob('evals/run');
  const [summary, setSummary] = useState<EvalSummary>();
  const run = async (): Promise<void> => {
    const done = await start({});
    if (done.ok) setSummary(done.value);
    else notifyFailure(done.failure);
  };
  return (
    <section class="stack" aria-label="Evals">
      <div class="head">
        <h2>Evals</h2>
        {progress === undefined ? (
          <button type="button" onClick={() => void run()}>
            Run the evals of all skills
          </button>
        ) : (
          <ProgressLine progress={progress} onCancel={cancel} />
        )}
      </div>
      {summary !== undefined && <Summary summary={summary} />}
    </section>
  );
}

function percent(share: number | null): string {
  return share === null ? '–' : `${Math.round(100 * share)} %`;
}

function Summary({ summary: { skills, confusion } }: { readonly summary: EvalSummary }): JSX.Element {
  if (skills.length === 0)
    return (
      <p class="muted">
        No skill has an <code>evals</code> folder. <code>skillplane new</code> makes one.
      </p>
    );
  return (
    <div class="columns">
      <table class="table">
        <caption class="unseen">Evals by skill</caption>
        <thead>
          <tr>
            <th scope="col">Skill</th>
            <th scope="col" class="number">
              Requests
            </th>
            <th scope="col" class="number">
              First
            </th>
            <th scope="col" class="number">
              In the first five
            </th>
          </tr>
        </thead>
        <tbody>
          {skills.map(({ name, requests, hit1, recall5, failure }) => (
            <tr key={name}>
              <th scope="row" class="mono">
                {visible(name)}
              </th>
              <td class="number">{failure === null ? requests : visible(failure)}</td>
              <td class="number">{percent(hit1)}</td>
              <td class="number">{percent(recall5)}</td>
            </tr>
          ))}
        </tbody>
      </table>
      <section class="stack">
        <h3>Taken by another skill</h3>
        {confusion.length === 0 && <p class="muted">None.</p>}
        {confusion.map(({ gold, stolenBy, count, requests }, at) => (
          <div key={at}>
            <p>
              <span class="mono">{visible(gold)}</span> → <span class="mono">{visible(stolenBy ?? 'nothing')}</span>,{' '}
              {count} times
            </p>
            <p class="muted">{visible(requests.join(' · '))}</p>
          </div>
        ))}
      </section>
    </div>
  );
}
