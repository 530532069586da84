import type { UsageEvent, UsageEvents, UsageStore } from '../../src/usage/usage-store.ts';

/** The base time of all usage tests: 2020-01-01. */
export const START: number = Date.UTC(2020, 0, 1);
export const HOUR = 3_600_000;
export const DAY: number = 24 * HOUR;

/** An event with defaults: one caller loaded `pdf`. */
export function usageEvent(given: Partial<UsageEvent> = {}): UsageEvent {
  return {
    skill: 'pdf',
    kind: 'loaded',
    outcome: 'ok',
    at: START,
    team: 'team',
    agent: 'ann',
    project: '/project',
    session: 'session',
    ...given,
  };
}

/** The same as another program records it: with a list of skills. */
export function usageEvents({ skill, ...given }: Partial<UsageEvent> = {}): UsageEvents {
  const { skill: only, ...event } = usageEvent({ ...given, ...(skill === undefined ? {} : { skill }) });
  return { ...event, skills: [only] };
}

/** Records events; fails the test if that fails. */
export async function recordIn(store: UsageStore, ...events: readonly UsageEvent[]): Promise<void> {
  const recorded = await store.record(events, { waitMs: 5_000 });
  if (!recorded.ok) throw new Error(`${recorded.trouble}: ${recorded.message}`);
}

/** How many events a store holds in all. */
export async function countEvents(store: UsageStore): Promise<number> {
  const read = await store.history({ since: 0, until: Number.MAX_SAFE_INTEGER, buckets: 1 });
  if (!read.ok) throw new Error(`${read.trouble}: ${read.message}`);
  return read.history.tallies.reduce((sum, { events }) => sum + events, 0);
}
