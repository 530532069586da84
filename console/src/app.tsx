import type { JSX } from 'preact';
import { useEffect, useState } from 'preact/hooks';

import type { WireFailure } from '../../src/http/wire.ts';
import type { ConsoleSession } from './lib/answers.ts';
import { askSession } from './lib/api.ts';
import { isConnected } from './lib/connection.ts';
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
              {!isConnected.value && (
                <p class="offline" role="alert">
                  Not connected. Waiting for <code>skillplane console</code>…
                </p>
              )}
            </header>
            <main id="main">
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
