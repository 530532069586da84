/** Uses of one skill of a hub in one week, by one agent program in one project. */
export interface HubUse {
  /** The address of the hub. */
  readonly hub: string;
  /** Never sent; separates the counts of several projects. */
  readonly project: string;
  /** The Monday, as in 2026-11-16. */
  readonly week: string;
  readonly scope: string;
  readonly skill: string;
  readonly host: string;
  /** The version that is installed now. */
  readonly version: string;
  readonly count: number;
}

/** A count as the hub gets it. */
export type SentUse = Omit<HubUse, 'hub' | 'project'>;

/**
 * Adopts the history's current counts. It has no versions, so new uses are counted for the installed version. Weeks
 * before `since` are deleted.
 */
export function addUses(ledger: readonly HubUse[], uses: readonly HubUse[], since: string): readonly HubUse[] {
  const entries = new Map(ledger.filter(({ week }) => week >= since).map((entry) => [versionKey(entry), entry]));
  const known = new Map<string, number>();
  for (const entry of entries.values()) known.set(useKey(entry), (known.get(useKey(entry)) ?? 0) + entry.count);
  for (const use of uses) {
    const added = use.count - (known.get(useKey(use)) ?? 0);
    if (use.week < since || added <= 0) continue;
    const before = entries.get(versionKey(use))?.count ?? 0;
    entries.set(versionKey(use), { ...use, count: before + added });
  }
  return [...entries.values()];
}

/** The sums of each week for a hub, which keeps the greatest that it was told: a sum that arrives twice counts once. */
export function sumUses(ledger: readonly HubUse[], hub: string): readonly SentUse[] {
  const sums = new Map<string, SentUse>();
  for (const { week, scope, skill, host, version, count } of ledger.filter((use) => use.hub === hub)) {
    const key = JSON.stringify([week, scope, skill, host, version]);
    sums.set(key, { week, scope, skill, host, version, count: (sums.get(key)?.count ?? 0) + count });
  }
  return [...sums.values()];
}

function useKey({ hub, project, week, scope, skill, host }: HubUse): string {
  return JSON.stringify([hub, project, week, scope, skill, host]);
}

function versionKey(use: HubUse): string {
  return JSON.stringify([useKey(use), use.version]);
}
