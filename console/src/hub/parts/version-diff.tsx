import type { JSX } from 'preact';

import { visible } from '../../lib/visible-text.ts';
import { counted } from '../../lib/words.ts';
import { DiffView } from '../../parts/diff-view.tsx';
import { Trouble } from '../../parts/trouble.tsx';
import { questions, type VersionName } from '../lib/api.ts';
import { useAsk } from '../lib/use-ask.ts';

interface VersionDiffProps {
  readonly name: VersionName;
  readonly from: string;
}

const SIGNS: Readonly<Record<string, string>> = { added: '+', removed: '−', changed: '~', mode: '~' };

/** The changes from another version to this one, file by file. */
export function VersionDiff({ name, from }: VersionDiffProps): JSX.Element {
  const { value, failure } = useAsk(questions.diff(name, from));
  if (failure !== undefined) return <Trouble failure={failure} />;
  if (value === undefined) return <div aria-busy="true" />;
  if (value.changes.length === 0) return <p class="muted">No file differs.</p>;
  return (
    <div class="stack">
      <p class="muted">
        {counted(value.changes.length, 'file')} changed from {from} to {name.version}
      </p>
      {value.changes.map(({ path, kind, diff }) => (
        <section key={path} class="stack" aria-label={`Changes of ${visible(path)}`}>
          <h3 class="mono">
            <span aria-hidden="true">{SIGNS[kind] ?? '~'}</span> <bdi>{visible(path)}</bdi>{' '}
            <span class="muted">{kind === 'mode' ? 'executable bit changed' : kind}</span>
          </h3>
          {diff === undefined || diff === '' ? (
            kind !== 'mode' && <p class="muted">It is not text, so its changes are not shown.</p>
          ) : (
            <DiffView diff={diff} label={`Changes of ${visible(path)}`} />
          )}
        </section>
      ))}
    </div>
  );
}
