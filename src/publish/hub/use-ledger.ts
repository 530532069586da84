/** Uses of one skill of a hub in one week, by one agent program in one project. */
export interface HubUse {
  /** The address of the hub. */
  readonly hub: string;
  /** Never sent: it keeps apart what several projects count. */
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

/** A count of the ledger, and how much of it the hub knows. */
export interface LedgerEntry extends HubUse {
  readonly sent: number;
}

/** A count as the hub gets it. */
export type SentUse = Omit<HubUse, 'hub' | 'project'>;

/**
 * Takes over what the history counts now. It knows no versions, so that uses since the last time belong to the version that
 * is installed now. Weeks before `since` are forgotten.
 */
export function addUses(
  ledger: readonly LedgerEntry[],
  uses: readonly HubUse[],
  since: string,
): readonly LedgerEntry[] {
  const entries = new Map(ledger.filter(({ week }) => week >= since).map((entry) => [versionKey(entry), entry]));
  const known = new Map<string, number>();
  for (const entry of entries.values()) known.set(useKey(entry), (known.get(useKey(entry)) ?? 0) + entry.count);
  for (const use of uses) {
    const added = use.count - (known.get(useKey(use)) ?? 0);
    if (use.week < since || added <= 0) continue;
    const before = entries.get(versionKey(use)) ?? { ...use, count: 0, sent: 0 };
    entries.set(versionKey(use), { ...before, count: before.count + added });
  }
  return [...entries.values()];
}

/** The counts that a hub does not know yet. Each is the whole sum of its week, so that a count that arrives twice counts once. */
export function listUnsent(ledger: readonly LedgerEntry[], hub: string): readonly SentUse[] {
  const sums = new Map<string, SentUse>();
  const unsent = new Set<string>();
  for (const entry of ledger.filter((one) => one.hub === hub)) {
    const { week, scope, skill, host, version, count } = entry;
    const key = sentKey(entry);
    sums.set(key, { week, scope, skill, host, version, count: (sums.get(key)?.count ?? 0) + count });
    if (entry.count > entry.sent) unsent.add(key);
  }
  return [...sums].flatMap(([key, use]) => (unsent.has(key) ? [use] : []));
}

/** The same ledger after a hub has taken these counts. */
export function markSent(
  ledger: readonly LedgerEntry[],
  hub: string,
  taken: readonly SentUse[],
): readonly LedgerEntry[] {
  const keys = new Set(taken.map(sentKey));
  return ledger.map((entry) =>
    entry.hub === hub && keys.has(sentKey(entry)) ? { ...entry, sent: entry.count } : entry,
  );
}

function useKey({ hub, project, week, scope, skill, host }: Omit<HubUse, 'version' | 'count'>): string {
  return JSON.stringify([hub, project, week, scope, skill, host]);
}

function versionKey(use: HubUse): string {
  return JSON.stringify([useKey(use), use.version]);
}

function sentKey({ week, scope, skill, host, version }: SentUse): string {
  return JSON.stringify([week, scope, skill, host, version]);
}
