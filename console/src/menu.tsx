import type { JSX } from 'preact';
import { useEffect } from 'preact/hooks';

import type { ConsoleSession } from './lib/answers.ts';
import { PAGES, type Page } from './lib/route.ts';
import { countHolders } from './lib/skill-filter.ts';
import { useRead } from './lib/use-read.ts';
import { grouped, shortPath } from './lib/words.ts';
import { Link } from './parts/link.tsx';

export const TITLES: Readonly<Record<(typeof PAGES)[number], string>> = {
  skills: 'Skills',
  lab: 'Search lab',
  model: 'Model view',
  usage: 'Usage',
  agents: 'Agents',
  installed: 'Installed',
  health: 'Health',
};

interface MenuProps {
  readonly session: ConsoleSession;
  readonly page: Page;
}

/** The pages, each with the number that wants attention. */
export function Menu({ session, page }: MenuProps): JSX.Element {
  const states = useRead('skills', {}).value?.counts;
  const counts: Partial<Record<Page, number>> =
    states === undefined
      ? {}
      : { skills: countHolders(states), ...(states.broken === 0 ? {} : { health: states.broken }) };
  // On a small screen the menu is a bar that may be longer than the screen.
  const isCounted = states !== undefined;
  useEffect(
    () => document.querySelector('.menu [aria-current]')?.scrollIntoView({ inline: 'nearest' }),
    [page, isCounted],
  );
  return (
    <nav class="menu" aria-label="Pages">
      <p class="brand">Skillplane</p>
      <ul>
        {PAGES.map((name) => (
          <li key={name}>
            <Link page={name} current={name === page || (name === 'skills' && page === 'skill')}>
              <span>{TITLES[name]}</span>
              {counts[name] !== undefined && <span class="count">{grouped(counts[name])}</span>}
            </Link>
          </li>
        ))}
      </ul>
      <footer class="muted">
        {session.isReadOnly && <p class="badge">read-only</p>}
        <p class="place" title={session.cwd}>
          <bdi>{shortPath(session.cwd, session.home)}</bdi>
        </p>
        <p>{session.version}</p>
      </footer>
    </nav>
  );
}
