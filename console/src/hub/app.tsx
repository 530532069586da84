import type { JSX } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';

import type { WireFailure } from '../../../src/http/wire.ts';
import { isConnected, revision } from '../lib/connection.ts';
import { leave, useKeys } from '../lib/keyboard.ts';
import { HelpDialog, type KeyHelp } from '../parts/help-dialog.tsx';
import { NoticeBar } from '../parts/notice-bar.tsx';
import { SearchField } from '../parts/search-field.tsx';
import { Trouble } from '../parts/trouble.tsx';
import { ask, questions } from './lib/api.ts';
import { momentOf } from './lib/labels.ts';
import { choose, go, route, type HubPage } from './lib/route.ts';
import { mayAnywhere, session, staleSince } from './lib/session.ts';
import { HubMenu } from './menu.tsx';
import { LogPage } from './pages/log.tsx';
import { ReviewsPage } from './pages/reviews.tsx';
import { ScopesPage } from './pages/scopes.tsx';
import { HubSkillPage } from './pages/skill.tsx';
import { HubSkillsPage } from './pages/skills.tsx';
import { TokensPage } from './pages/tokens.tsx';
import { HubUsagePage } from './pages/usage.tsx';
import { SignInPage } from './sign-in.tsx';

/** The pages of a hub: for everyone who may read, and to sign in for everyone else. */
export function HubApp(): JSX.Element {
  const [failure, setFailure] = useState<WireFailure>();
  const [isAsked, setAsked] = useState(false);
  const known = session.value;
  useEffect(() => {
    if (known !== undefined) return;
    const load = async (): Promise<void> => {
      const answer = await ask(questions.session());
      if (answer.ok) session.value = answer.value;
      setFailure(answer.ok ? undefined : answer.failure);
      setAsked(true);
    };
    void load();
  }, [known, isConnected.value]);
  if (known === undefined && !isAsked) return <main class="closed" aria-busy="true" />;
  if (known === undefined && failure !== undefined && failure.code !== 'UNAUTHENTICATED')
    return (
      <main class="closed">
        <h1>Skillplane hub</h1>
        <Trouble failure={failure} />
      </main>
    );
  if (known === undefined || !mayAnywhere('reader')) return <SignInPage person={known?.person} failure={failure} />;
  return <Frame />;
}

function Frame(): JSX.Element {
  const [isHelping, setHelping] = useState(false);
  useKeys({
    '/': () => document.querySelector<HTMLInputElement>('#search')?.select(),
    '?': () => setHelping(true),
    'g s': () => go('skills'),
    'g r': () => go('reviews'),
    'g u': () => go('usage'),
    'g o': () => go('scopes'),
    'g t': () => go('tokens'),
    'g l': () => go('log'),
    Escape: () => leave(route.value.page === 'skill'),
  });
  const { page } = route.value;
  useFreshData(page);
  const View = VIEWS[page];
  return (
    <div class={isConnected.value ? 'frame' : 'frame lost'}>
      <HubMenu page={page} />
      <div class="side">
        <header class="top">
          <SearchField place={route.value} onSearch={(q) => choose({ q })} onLeave={(q) => go('skills', { q })} />
          <Connection />
        </header>
        <main id="main">
          <View />
        </main>
      </div>
      <NoticeBar />
      {isHelping && <HelpDialog keys={KEYS} onClose={() => setHelping(false)} />}
    </div>
  );
}

/** Others publish and decide, too: reads again on another page, and when the browser comes back to this one. */
function useFreshData(page: HubPage): void {
  const shown = useRef(page);
  useEffect(() => {
    if (shown.current !== page) revision.value += 1;
    shown.current = page;
  }, [page]);
  useEffect(() => {
    const look = (): void => {
      if (document.visibilityState === 'visible') revision.value += 1;
    };
    document.addEventListener('visibilitychange', look);
    return () => document.removeEventListener('visibilitychange', look);
  }, []);
}

function Connection(): JSX.Element | null {
  if (!isConnected.value)
    return (
      <p class="offline" role="alert">
        Not connected. Waiting for the hub…
      </p>
    );
  if (staleSince.value === undefined) return null;
  return (
    <p class="warn" role="status">
      The hub cannot reach its database. This is as of {momentOf(staleSince.value)} UTC; nothing can be changed.
    </p>
  );
}

const KEYS: KeyHelp = [
  ['/', 'Search'],
  ['j k', 'Next and previous row'],
  ['Enter', 'Open the row'],
  ['g s', 'Go to Skills'],
  ['g r', 'Go to Review'],
  ['g u', 'Go to Usage'],
  ['g o', 'Go to Scopes'],
  ['g t', 'Go to Tokens'],
  ['g l', 'Go to Log'],
  ['Esc', 'Back'],
  ['?', 'This help'],
];

const VIEWS: Readonly<Record<HubPage, () => JSX.Element>> = {
  skills: HubSkillsPage,
  skill: HubSkillPage,
  reviews: ReviewsPage,
  usage: HubUsagePage,
  scopes: ScopesPage,
  tokens: TokensPage,
  log: LogPage,
};
