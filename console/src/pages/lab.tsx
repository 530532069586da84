import type { JSX } from 'preact';

import { choose, route } from '../lib/route.ts';
import { useRead } from '../lib/use-read.ts';
import { Trouble } from '../parts/trouble.tsx';
import { Evals } from './lab/evals.tsx';
import { ForModels } from './lab/for-models.tsx';
import { Ranking } from './lab/ranking.tsx';

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
          onInput={({ currentTarget }) => choose({ request: currentTarget.value, case: undefined, not: undefined })}
        />
      </div>
      {failure !== undefined && <Trouble failure={failure} />}
      {value !== undefined && request.trim() !== '' && (
        <div class="columns">
          <Ranking request={request} view={value} />
          <ForModels request={request} view={value} />
        </div>
      )}
      <Evals />
    </div>
  );
}
