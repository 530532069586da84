import type { JSX } from 'preact';

import type { ConsoleSession } from './lib/answers.ts';
import { foundUpdates } from './lib/attention.ts';
import { DAILY_PAGES, OTHER_PAGES, type MenuPage, type Page } from './lib/route.ts';
import { countHolders } from './lib/skill-filter.ts';
import { useCalm, useProblems } from './lib/use-problems.ts';
import { useRead } from './lib/use-read.ts';
import { grouped, shortPath } from './lib/words.ts';
import { Link } from './parts/link.tsx';

const TITLES: Readonly<Record<MenuPage, string>> = {
  skills: 'Skills',
  agents: 'Agents',
  installed: 'Installed',
  usage: 'Usage',
  health: 'Health',
  lab: 'Search lab',
  model: 'Model view',
  start: 'First steps',
};

interface MenuProps {
  readonly session: ConsoleSession;
  readonly page: Page;
}

/** The pages, each with the number that wants attention. On a small screen it is a bar, with the rarer pages behind *More*. */
export function Menu({ session, page }: MenuProps): JSX.Element {
  const states = useRead('skills', {}).value?.counts;
  const problems = useProblems(useCalm()).count ?? 0;
  const updates = foundUpdates.value?.updates.length ?? 0;
  const counts: Partial<Record<MenuPage, Count>> = {
    ...(states !== undefined && { skills: { count: countHolders(states), what: 'skills', isUrgent: false } }),
    ...(updates > 0 && { installed: { count: updates, what: 'updates available', isUrgent: true } }),
    ...(problems > 0 && { health: { count: problems, what: 'problems', isUrgent: true } }),
  };
  const itemsOf = (pages: readonly MenuPage[]): readonly JSX.Element[] =>
    pages.map((name) => <Item key={name} name={name} page={page} count={counts[name]} />);
  return (
    <nav class="menu" aria-label="Pages">
      <p class="brand">Skillplane</p>
      <ul>{itemsOf(DAILY_PAGES)}</ul>
      <ul class="rest">{itemsOf(OTHER_PAGES)}</ul>
      <details class="more" key={page}>
        <summary>More</summary>
        <ul>{itemsOf(OTHER_PAGES)}</ul>
      </details>
      <footer class="muted">
        <p class="place" title={session.cwd}>
          <bdi>{shortPath(session.cwd, session.home)}</bdi>
        </p>
        <p>{session.version}</p>
      </footer>
    </nav>
  );
}

interface Count {
  readonly count: number;
  readonly what: string;
  readonly isUrgent: boolean;
}

interface ItemProps {
  readonly name: MenuPage;
  readonly page: Page;
  readonly count: Count | undefined;
}

function Item({ name, page, count }: ItemProps): JSX.Element {
  return (
    <li>
      <Link page={name} current={name === page || (name === 'skills' && page === 'skill')}>
        <span>{TITLES[name]}</span>
        {count !== undefined && (
          <span class={count.isUrgent ? 'count attention' : 'count'}>
            {grouped(count.count)}
            <span class="unseen"> {count.what}</span>
          </span>
        )}
      </Link>
    </li>
  );
}
