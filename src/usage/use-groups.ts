import { compareText } from '../model/order.ts';
import type { UsageDetail, UsageHistory } from './usage-store.ts';

/** The uses of one agent, one project or one week. */
export interface UseGroup {
  /** The agent, the project's directory (empty if unknown), or the Monday on which the week begins. */
  readonly name: string;
  readonly uses: number;
  /** How many of them a person called by name. */
  readonly invoked: number;
  /** The skills by their uses, most used first. */
  readonly skills: readonly (readonly [name: string, uses: number])[];
  /** Uses by week, the last one at the end. */
  readonly series: readonly number[];
}

const WEEK_MS = 7 * 86_400_000;
/** As many bars as a chart has. */
const MOST_WEEKS = 24;

/** Uses by agent, project or week; most first, weeks in their order. */
export function groupUses(
  { details }: Pick<UsageHistory, 'details'>,
  keyOf: (detail: UsageDetail) => string,
): readonly UseGroup[] {
  const weeks = details.map(({ week }) => week);
  const last = weeks.reduce((latest, week) => Math.max(latest, week), 0);
  const count = Math.min(MOST_WEEKS, 1 + (last - weeks.reduce((first, week) => Math.min(first, week), last)) / WEEK_MS);
  return [...Map.groupBy(details, keyOf)]
    .map(([name, own]) => ({
      name,
      uses: sum(own),
      invoked: sum(own.filter(({ kind }) => kind === 'invoked')),
      skills: rankSkills(own),
      series: Array.from({ length: count }, (_, at) =>
        sum(own.filter(({ week }) => week === last - (count - 1 - at) * WEEK_MS)),
      ),
    }))
    .sort((a, b) => b.uses - a.uses || compareText(a.name, b.name));
}

/** The uses of each agent on each of these days, most used first; a day is named by its beginning. */
export function usesByDay(
  { details }: Pick<UsageHistory, 'details'>,
  days: readonly number[],
): readonly { readonly name: string; readonly days: readonly number[] }[] {
  return [...Map.groupBy(details, ({ agent }) => agent)]
    .map(([name, own]) => {
      const byDay = Map.groupBy(own, ({ day }) => day);
      return { name, uses: sum(own), days: days.map((day) => sum(byDay.get(day) ?? [])) };
    })
    .sort((a, b) => b.uses - a.uses || compareText(a.name, b.name))
    .map(({ name, days: counts }) => ({ name, days: counts }));
}

function rankSkills(details: readonly UsageDetail[]): UseGroup['skills'] {
  return [...Map.groupBy(details, ({ skill }) => skill)]
    .map(([skill, own]) => [skill, sum(own)] as const)
    .sort(([a, usesOfA], [b, usesOfB]) => usesOfB - usesOfA || compareText(a, b));
}

function sum(details: readonly UsageDetail[]): number {
  return details.reduce((total, { events }) => total + events, 0);
}
