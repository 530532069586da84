import type { JSX } from 'preact';
import { useEffect, useMemo, useState } from 'preact/hooks';

import type { SkillsAnswer } from '../../../../hub/src/http/wire.ts';
import { countValues } from '../../lib/count-values.ts';
import { useKeys } from '../../lib/keyboard.ts';
import { counted, grouped } from '../../lib/words.ts';
import { Choice } from '../../parts/choice.tsx';
import { wordsOf } from '../../parts/marked.tsx';
import { NoMatch } from '../../parts/no-match.tsx';
import { Trouble } from '../../parts/trouble.tsx';
import { VirtualList } from '../../parts/virtual-list.tsx';
import { questions } from '../lib/api.ts';
import { labelOf, lastWeeks } from '../lib/labels.ts';
import { rankSkills } from '../lib/rank.ts';
import { choose, go, route } from '../lib/route.ts';
import { mayAnywhere } from '../lib/session.ts';
import { useAllSkills } from '../lib/use-all-skills.ts';
import { useAsk } from '../lib/use-ask.ts';
import { HubSkillLine } from '../parts/hub-skill-line.tsx';

const ROW_HEIGHT = 34;
const WEEKS = lastWeeks(12);

/** Every skill that this person may read: browsed, filtered and searched. */
export function HubSkillsPage(): JSX.Element {
  const { q: query = '', scope = '', tag = '' } = route.value.params;
  const listed = useAllSkills();
  const isSearching = query.trim() !== '';
  const found = useAsk(isSearching ? questions.search(query, scope, tag) : undefined);
  const usage = useAsk(questions.usage(WEEKS[0] ?? '')).value;
  const uses = useMemo(() => sumByWeek(usage?.uses ?? []), [usage]);
  const shown = useMemo(
    () =>
      (listed.value?.skills ?? []).filter(
        (skill) => (scope === '' || skill.scope === scope) && (tag === '' || skill.tags.includes(tag)),
      ),
    [listed.value, scope, tag],
  );
  const results = isSearching && found.isCurrent ? found.value?.results : undefined;
  const ranked = useMemo(() => rankSkills(shown, query, results), [shown, query, results]);
  const [current, setCurrent] = useState<number>();
  useEffect(() => setCurrent(undefined), [query]);
  const at = current === undefined ? undefined : Math.min(current, ranked.length - 1);
  const move = (by: number): void => {
    setCurrent(Math.max(0, Math.min(ranked.length - 1, (at ?? -1) + by)));
    requestAnimationFrame(() => document.querySelector<HTMLElement>('.row.current .name')?.focus());
  };
  useKeys({ j: () => move(1), k: () => move(-1), ArrowDown: () => move(1), ArrowUp: () => move(-1) });
  const words = useMemo(() => wordsOf(query), [query]);
  if (listed.failure !== undefined) return <Trouble failure={listed.failure} />;
  return (
    <div class="page skills">
      <h1 class="unseen">Skills</h1>
      <Counts listed={listed.value} shown={ranked.length} />
      <Filters listed={listed.value} scope={scope} tag={tag} />
      {found.failure !== undefined && <Trouble failure={found.failure} />}
      {listed.value !== undefined && ranked.length === 0 ? (
        <NothingFound hasSkills={listed.value.total > 0} />
      ) : (
        <VirtualList
          items={ranked}
          rowHeight={ROW_HEIGHT}
          label="Skills"
          keyOf={({ skill }) => labelOf(skill)}
          current={at}
          render={(entry, row) => (
            <HubSkillLine
              {...entry}
              words={words}
              weeks={uses.get(labelOf(entry.skill))}
              onFocus={() => setCurrent(row)}
            />
          )}
        />
      )}
    </div>
  );
}

interface CountsProps {
  readonly listed: SkillsAnswer | undefined;
  readonly shown: number;
}

function Counts({ listed, shown }: CountsProps): JSX.Element {
  if (listed === undefined) return <p class="counts">…</p>;
  const { total, skills } = listed;
  return (
    <div class="counts">
      <span role="status">
        <strong>{counted(total, 'skill')}</strong>
        {shown !== total && <span> · {grouped(shown)} shown</span>}
      </span>
      {skills.length < total && (
        <span class="muted">The first {grouped(skills.length)} are listed; searching finds all.</span>
      )}
    </div>
  );
}

interface FiltersProps {
  readonly listed: SkillsAnswer | undefined;
  readonly scope: string;
  readonly tag: string;
}

const MOST_TAGS = 200;

function Filters({ listed, scope, tag }: FiltersProps): JSX.Element {
  const scopes = useMemo(
    () =>
      countValues(
        (listed?.skills ?? []).map((skill) => skill.scope),
        '@',
      ),
    [listed],
  );
  const tags = useMemo(() => countValues((listed?.skills ?? []).flatMap((skill) => skill.tags)), [listed]);
  return (
    <div class="filters" role="group" aria-label="Filters">
      <Choice
        label="Scope"
        all="all scopes"
        value={scope}
        options={scopes}
        onChoose={(value) => choose({ scope: value })}
      />
      {tags.length > 0 && (
        <Choice
          label="Tag"
          all="all tags"
          value={tag}
          options={tags.slice(0, MOST_TAGS)}
          onChoose={(value) => choose({ tag: value })}
        />
      )}
    </div>
  );
}

function NothingFound({ hasSkills }: { readonly hasSkills: boolean }): JSX.Element {
  if (hasSkills) return <NoMatch onClear={() => go('skills')} />;
  return (
    <div class="empty">
      <p>There are no skills here yet.</p>
      <p class="muted">
        {mayAnywhere('publisher') ? (
          <>
            <code>skillplane login {location.origin}</code>, then <code>skillplane publish my-skill --to @team</code>{' '}
            publishes one.
          </>
        ) : (
          'You see them as soon as someone publishes one in a scope that you may read.'
        )}
      </p>
    </div>
  );
}

interface WeekUse {
  readonly week: string;
  readonly scope: string;
  readonly skill: string;
  readonly count: number;
}

/** Uses of each skill in the last weeks. */
function sumByWeek(uses: readonly WeekUse[]): ReadonlyMap<string, readonly number[]> {
  const sums = new Map<string, number[]>();
  for (const { week, scope, skill, count } of uses) {
    const key = labelOf({ scope, name: skill });
    const weeks = sums.get(key) ?? WEEKS.map(() => 0);
    const at = WEEKS.indexOf(week);
    if (at >= 0) weeks[at] = (weeks[at] ?? 0) + count;
    sums.set(key, weeks);
  }
  return sums;
}
