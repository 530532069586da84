import type { JSX } from 'preact';

import type { ReviewsAnswer } from '../../../../hub/src/http/wire.ts';
import { useKeys } from '../../lib/keyboard.ts';
import { visible } from '../../lib/visible-text.ts';
import { counted, since, sized } from '../../lib/words.ts';
import { Trouble } from '../../parts/trouble.tsx';
import { questions } from '../lib/api.ts';
import { labelOf, versionLabel } from '../lib/labels.ts';
import { choose, route } from '../lib/route.ts';
import { session } from '../lib/session.ts';
import { useAsk } from '../lib/use-ask.ts';
import { Decision } from '../parts/decision.tsx';
import { Instructions } from '../parts/file-view.tsx';
import { countFindings, FindingsInPlace } from '../parts/findings-in-place.tsx';
import { HubLink } from '../parts/hub-link.tsx';
import { VersionDiff } from '../parts/version-diff.tsx';

type Waiting = ReviewsAnswer['reviews'][number];

/** Versions that wait for a person, the oldest first, and the one that is looked at. */
export function ReviewsPage(): JSX.Element {
  const { value, failure } = useAsk(questions.reviews());
  const reviews = value?.reviews ?? [];
  const wanted = route.value.params['of'];
  const chosen = reviews.find((version) => versionLabel(version) === wanted) ?? reviews[0];
  const move = (by: number): void => {
    const at = chosen === undefined ? -1 : reviews.indexOf(chosen);
    const next = reviews[Math.max(0, Math.min(reviews.length - 1, at + by))];
    if (next !== undefined) choose({ of: versionLabel(next) });
  };
  useKeys({ j: () => move(1), k: () => move(-1) });
  return (
    <div class="page">
      <div class="head">
        <h1>Review</h1>
        {value !== undefined && <span role="status">{counted(reviews.length, 'version')} waiting</span>}
      </div>
      {failure !== undefined && <Trouble failure={failure} />}
      {value !== undefined && reviews.length === 0 && (
        <p class="muted">Nothing waits. New versions come here if the policy of their scope wants someone to look.</p>
      )}
      {chosen !== undefined && (
        <div class="columns files">
          <ul class="file-list" aria-label="Waiting versions">
            {reviews.map((version) => (
              <li key={versionLabel(version)}>
                <button
                  type="button"
                  class="plain"
                  aria-current={version === chosen ? 'true' : undefined}
                  onClick={() => choose({ of: versionLabel(version) })}
                >
                  <span class="mono">
                    <bdi>{visible(versionLabel(version))}</bdi>
                  </span>
                  <span class="muted">
                    {countFindings(version.findings) || 'no findings'} · {since(version.publishedAt)}
                  </span>
                </button>
              </li>
            ))}
          </ul>
          <OneReview key={versionLabel(chosen)} version={chosen} />
        </div>
      )}
    </div>
  );
}

function OneReview({ version }: { readonly version: Waiting }): JSX.Element {
  const isOwn = version.publishedBy === session.value?.person;
  const grave = countFindings(version.findings);
  return (
    <article class="stack review">
      <div class="head">
        <h2 class="mono">
          <bdi>{visible(versionLabel(version))}</bdi>
        </h2>
        <span class="muted">
          by <bdi>{visible(version.publishedBy)}</bdi>, {since(version.publishedAt)}
        </span>
        <HubLink page="skill" params={{ of: labelOf(version), v: version.version }}>
          The whole version
        </HubLink>
      </div>
      <p class="lead">
        <bdi>{visible(version.description)}</bdi>
      </p>
      <p class="muted">
        {counted(version.files.length, 'file')}, {sized(version.files.reduce((sum, { size }) => sum + size, 0))}
        {version.warnings.length > 0 && ` · ${visible(version.warnings.join('; '))}`}
      </p>
      {isOwn && !version.verdicts.includes('approve') && (
        <p class="warn">You published it, so someone else must approve it.</p>
      )}
      <Decision version={version} />
      <section class="stack" aria-label="Findings">
        <h3>Audit: {grave === '' ? 'no findings' : grave}</h3>
        <FindingsInPlace name={version} findings={version.findings} />
      </section>
      <section class="stack" aria-label="Changes">
        {version.before === null ? (
          <>
            <h3>The first version: its instructions</h3>
            <Instructions name={version} onOpenFile={() => undefined} />
          </>
        ) : (
          <>
            <h3>Changes since {version.before}</h3>
            <VersionDiff name={version} from={version.before} />
          </>
        )}
      </section>
    </article>
  );
}
