import type { JSX } from 'preact';

import { notifyFailure } from '../lib/notices.ts';
import { visible } from '../lib/visible-text.ts';
import { grouped } from '../lib/words.ts';
import { changes, questions } from './lib/api.ts';
import { HUB_PAGES, type HubPage } from './lib/route.ts';
import { mayAnywhere, session } from './lib/session.ts';
import { useAsk } from './lib/use-ask.ts';
import { HubLink } from './parts/hub-link.tsx';

const TITLES: Readonly<Record<(typeof HUB_PAGES)[number], string>> = {
  skills: 'Skills',
  reviews: 'Review',
  usage: 'Usage',
  scopes: 'Scopes',
  tokens: 'Tokens',
  log: 'Log',
};

/** The pages that this person may see, each with the number that wants attention. */
export function HubMenu({ page }: { readonly page: HubPage }): JSX.Element {
  const mayReview = mayAnywhere('reviewer');
  const total = useAsk(questions.skills(undefined)).value?.total;
  const waiting = useAsk(mayReview ? questions.reviews() : undefined).value?.reviews.length;
  const isAnonymous = session.value?.isAnonymous === true;
  const hidden = new Set<HubPage>([
    ...(mayReview ? [] : MAY_REVIEW),
    ...(mayAnywhere('owner') ? [] : MAY_OWN),
    ...(isAnonymous ? SIGNED_IN : []),
  ]);
  return (
    <nav class="menu" aria-label="Pages">
      <p class="brand">Skillplane hub</p>
      <ul>
        {HUB_PAGES.filter((name) => !hidden.has(name)).map((name) => (
          <li key={name}>
            <HubLink page={name} current={name === page || (name === 'skills' && page === 'skill')}>
              <span>{TITLES[name]}</span>
              {name === 'skills' && total !== undefined && <span class="count">{grouped(total)}</span>}
              {name === 'reviews' && waiting !== undefined && waiting > 0 && (
                <span class="count attention">
                  {grouped(waiting)}
                  <span class="unseen"> waiting</span>
                </span>
              )}
            </HubLink>
          </li>
        ))}
        <li class="only-narrow">
          <Leave />
        </li>
      </ul>
      <Person />
    </nav>
  );
}

const MAY_REVIEW: readonly HubPage[] = ['reviews', 'log'];
const MAY_OWN: readonly HubPage[] = ['scopes'];
const SIGNED_IN: readonly HubPage[] = ['tokens'];

function Person(): JSX.Element | null {
  if (session.value === undefined) return null;
  const { person, grants, isAnonymous, version } = session.value;
  return (
    <footer class="muted person">
      <p>
        <strong>
          <bdi>{isAnonymous ? 'Not signed in' : visible(person ?? '')}</bdi>
        </strong>
      </p>
      <ul>
        {grants.slice(0, MOST_GRANTS).map(({ scope, role }) => (
          <li key={`${scope} ${role}`}>
            {role} of {scope === '*' ? 'every scope' : `@${visible(scope)}`}
          </li>
        ))}
        {grants.length > MOST_GRANTS && <li>and {grants.length - MOST_GRANTS} more</li>}
      </ul>
      <Leave />
      <p>{version}</p>
    </footer>
  );
}

const MOST_GRANTS = 4;

/** Signs out, or in where everyone may read. People that a proxy signs in do neither here. */
function Leave(): JSX.Element | null {
  const known = session.value;
  if (known === undefined) return null;
  if (known.isAnonymous)
    return (
      <button type="button" class="plain" onClick={() => (session.value = { ...known, grants: [], person: null })}>
        Sign in
      </button>
    );
  if (known.changeToken === null) return null;
  return (
    <button type="button" class="plain" onClick={() => void signOut()}>
      Sign out
    </button>
  );
}

async function signOut(): Promise<void> {
  const answer = await changes.signOut();
  if (answer.ok) location.assign('/');
  else notifyFailure(answer.failure);
}
