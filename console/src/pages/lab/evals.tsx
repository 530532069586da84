import type { JSX } from 'preact';
import { useState } from 'preact/hooks';

import type { EvalSummary } from '../../lib/answers.ts';
import { notifyFailure } from '../../lib/notices.ts';
import { useJob } from '../../lib/use-job.ts';
import { visible } from '../../lib/visible-text.ts';
import { CrossTable } from '../../parts/cross-table.tsx';
import { DataTable } from '../../parts/data-table.tsx';
import { Link } from '../../parts/link.tsx';
import { ProgressLine } from '../../parts/progress-line.tsx';

/** Runs the evals of all skills, and shows which requests go astray. */
export function Evals(): JSX.Element {
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

function percent(share: number | undefined): string {
  return share === undefined ? '–' : `${Math.round(100 * share)} %`;
}

function Summary({ summary: { skills, confusion } }: { readonly summary: EvalSummary }): JSX.Element {
  if (skills.length === 0)
    return (
      <p class="muted">
        No skill has an <code>evals</code> folder. Save a request above, or let <code>skillplane new</code> make one.
      </p>
    );
  return (
    <div class="columns">
      <DataTable
        label="Evals by skill"
        columns={['Skill', ['Requests', 'number'], ['First', 'number'], ['In the first five', 'number']]}
      >
        {skills.map(({ name, requests, hit1, recall5, failure, problems }) => (
          <tr key={name ?? ''}>
            <th scope="row" class={name === undefined ? '' : 'mono'}>
              {name === undefined ? 'your own requests' : visible(name)}
            </th>
            <td class="number">
              {failure === undefined ? requests : visible(failure)}
              {problems > 0 && <span class="warn"> and {problems} unreadable</span>}
            </td>
            <td class="number">{percent(hit1)}</td>
            <td class="number">{percent(recall5)}</td>
          </tr>
        ))}
      </DataTable>
      <section class="stack">
        <h3>Taken by another skill</h3>
        {confusion.length === 0 ? (
          <p class="muted">None.</p>
        ) : (
          <>
            <CrossTable
              label="Requests by the skill that they should find, and the one that came first"
              corner="should be ↓ first →"
              crossings={confusion.map(({ gold, stolenBy, count, requests }) => ({
                row: gold,
                column: stolenBy ?? 'nothing',
                count,
                details: requests,
              }))}
            />
            <ul class="muted">
              {confusion.flatMap(({ gold, requests }) =>
                requests.map((request) => (
                  <li key={`${gold} ${request}`}>
                    <Link page="lab" params={{ request }}>
                      {visible(request)}
                    </Link>
                  </li>
                )),
              )}
            </ul>
          </>
        )}
      </section>
    </div>
  );
}
