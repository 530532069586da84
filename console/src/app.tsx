import type { JSX } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';

import type { WireFailure } from '../../src/http/wire.ts';
import type { ConsoleSession } from './lib/answers.ts';
import { askSession, renewSession } from './lib/api.ts';
import { isConnected, refusal } from './lib/connection.ts';
import { leave, useKeys } from './lib/keyboard.ts';
import { listen } from './lib/live.ts';
import { choose, go, route, type Page } from './lib/route.ts';
import { SessionContext } from './lib/session.ts';
import { Menu } from './menu.tsx';
import { AgentsPage } from './pages/agents.tsx';
import { HealthPage } from './pages/health.tsx';
import { InstalledPage } from './pages/installed.tsx';
import { LabPage } from './pages/lab.tsx';
import { ModelPage } from './pages/model.tsx';
import { SkillPage } from './pages/skill.tsx';
import { SkillsPage } from './pages/skills.tsx';
import { StartPage } from './pages/start.tsx';
import { UsagePage } from './pages/usage.tsx';
import { HelpDialog, type KeyHelp } from './parts/help-dialog.tsx';
import { StepActions } from './parts/next.tsx';
import { NoticeBar } from './parts/notice-bar.tsx';
import { SearchField } from './parts/search-field.tsx';
import { Trouble } from './parts/trouble.tsx';
import { actionOf } from './step-action.tsx';

/** The whole page: the menu, the search, and the page that the address names. */
export function App(): JSX.Element {
  const [session, setSession] = useState<ConsoleSession>();
  const [failure, setFailure] = useState<WireFailure>();
  useEffect(() => {
    const load = async (): Promise<void> => {
      const answer = await askSession();
      if (!answer.ok) {
        setFailure(answer.failure);
        return;
      }
      setSession(answer.value);
      // The address that the terminal prints names no page.
      if (answer.value.isNew && location.pathname === '/') go('start');
      listen();
    };
    void load();
  }, []);
  const wasLost = useRef(false);
  useEffect(() => {
    const renew = async (): Promise<void> => {
      const answer = await renewSession();
      if (answer.ok) setSession(answer.value);
    };
    if (wasLost.current && isConnected.value) void renew();
    wasLost.current = !isConnected.value;
  }, [isConnected.value]);
  if (failure !== undefined)
    return (
      <main class="closed">
        <h1>Skillplane</h1>
        <Trouble failure={failure} />
      </main>
    );
  return session === undefined ? <main class="closed" aria-busy="true" /> : <Frame session={session} />;
}

function Frame({ session }: { readonly session: ConsoleSession }): JSX.Element {
  const [isHelping, setHelping] = useState(false);
  useKeys({
    '/': () => document.querySelector<HTMLInputElement>('#search')?.select(),
    '?': () => setHelping(true),
    'g s': () => go('skills'),
    'g l': () => go('lab'),
    'g m': () => go('model'),
    'g u': () => go('usage'),
    'g a': () => go('agents'),
    'g i': () => go('installed'),
    'g d': () => go('health'),
    Escape: () => leave(route.value.page === 'skill'),
  });
  const { page } = route.value;
  const View = VIEWS[page];
  return (
    <SessionContext.Provider value={session}>
      <StepActions.Provider value={actionOf}>
        <div class={isConnected.value ? 'frame' : 'frame lost'}>
          <Menu session={session} page={page} />
          <div class="side">
            <header class="top">
              <SearchField place={route.value} onSearch={(q) => choose({ q })} onLeave={(q) => go('skills', { q })} />
              {session.isReadOnly && (
                <span class="badge" title="This console only shows; it changes nothing.">
                  read-only
                </span>
              )}
            </header>
            <main id="main">
              {!isConnected.value && <Lost />}
              <View />
            </main>
          </div>
          <NoticeBar />
          {isHelping && <HelpDialog keys={KEYS} onClose={() => setHelping(false)} />}
        </div>
      </StepActions.Provider>
    </SessionContext.Provider>
  );
}

/** Says that the server is gone. The page below stays as it is, with everything that was typed or marked. */
function Lost(): JSX.Element {
  const because = refusal.value;
  return (
    <div class="lost-note" role="alert">
      <p>
        <b>Not connected.</b> {because === undefined ? 'Waiting for' : 'Open the link that is printed by'}{' '}
        <code>skillplane console</code>. What you typed or marked stays here.
      </p>
      <button type="button" onClick={listen}>
        Try again
      </button>
    </div>
  );
}

const KEYS: KeyHelp = [
  ['/', 'Search'],
  ['j k', 'Next and previous row'],
  ['Enter', 'Open the row'],
  ['x', 'Select the row'],
  ['e', 'Enable or disable the row or the selected rows'],
  ['t', 'Trust the skill'],
  ['← → ↑ ↓', 'Move in the matrix of agents; Enter marks a cell'],
  ['g s', 'Go to Skills'],
  ['g l', 'Go to Search lab'],
  ['g m', 'Go to Model view'],
  ['g u', 'Go to Usage'],
  ['g a', 'Go to Agents'],
  ['g i', 'Go to Installed'],
  ['g d', 'Go to Health'],
  ['Esc', 'Back'],
  ['?', 'This help'],
];

const VIEWS: Readonly<Record<Page, () => JSX.Element>> = {
  skills: SkillsPage,
  skill: SkillPage,
  lab: LabPage,
  model: ModelPage,
  usage: UsagePage,
  agents: AgentsPage,
  installed: InstalledPage,
  health: HealthPage,
  start: StartPage,
};
