import type { Database } from '../database/database.ts';
import { LOG_CHANNEL, listLogAfter, type LogEntry } from '../store/log.ts';
import { openKeeper, openKeptLibrary, reportDamage } from './kept-library.ts';
import type { Library } from './library.ts';
import { readBodies, readServed } from './read-served.ts';
import { keyOf, type ServedSkill } from './served-skill.ts';

/** A library that follows the log: a change on any replica is here within moments. */
export interface FollowedLibrary extends AsyncDisposable {
  readonly library: Library;
  /** The last act that the library knows. */
  upto(): number;
  /** Since when the database has not answered; undefined if it does. */
  staleSince(): Date | undefined;
  /** Takes over what was committed so far. */
  catchUp(): Promise<void>;
}

export interface FollowOptions {
  readonly now: () => Date;
  readonly onError: (error: unknown) => void;
  /** Called with each new act, after the library has taken it over. */
  readonly onAct?: ((entry: LogEntry) => void) | undefined;
  /** How often to look for acts whose notice was lost; 2 seconds. */
  readonly pollMs?: number | undefined;
  /** How long to wait with saving the index after changes that are worth it; a minute. */
  readonly saveMs?: number | undefined;
}

export async function followLog(database: Database, options: FollowOptions): Promise<FollowedLibrary> {
  const { onError, onAct, now, pollMs = 2_000, saveMs = 60_000 } = options;
  const opened = await openKeptLibrary(database, onError);
  const { library } = opened;
  let { upto } = opened;
  let staleSince: Date | undefined;
  const keeper = openKeeper(database, () => ({ library, upto }), { saveMs, onError });

  const take = async (entries: readonly LogEntry[]): Promise<void> => {
    const changed = await readChanged(database, entries);
    if (changed.length > 0) {
      library.put(changed, await readBodies(database, library.missing(changed), reportDamage(onError)));
      keeper.note(changed.length);
    }
    for (const entry of entries) onAct?.(entry);
    upto = entries.at(-1)?.id ?? upto;
  };
  const pull = async (): Promise<void> => {
    try {
      for (let isMore = true; isMore;) {
        const entries = await listLogAfter(database, upto, MOST_ACTS);
        staleSince = undefined;
        if (entries.length > 0) await take(entries);
        isMore = entries.length === MOST_ACTS;
      }
    } catch (error) {
      staleSince ??= now();
      onError(error);
    }
  };
  // Two at once would take over the same acts.
  const catchUp = oneByOne(pull);
  const listening = await database.listen(LOG_CHANNEL, {
    onNotice: (id) => {
      if (Number(id) > upto) void catchUp();
    },
    onGap: () => void catchUp(),
  });
  const polling = setInterval(() => void catchUp(), pollMs).unref();
  await catchUp();
  return {
    library,
    upto: () => upto,
    staleSince: () => staleSince,
    catchUp,
    async [Symbol.asyncDispose]() {
      clearInterval(polling);
      await listening[Symbol.asyncDispose]();
      if (staleSince === undefined) await catchUp();
      await keeper.close(staleSince === undefined);
    },
  };
}

/** Runs the work, never twice at once. Everyone who asks while it runs shares the next run. */
function oneByOne(work: () => Promise<void>): () => Promise<void> {
  let last = Promise.resolve();
  let next: Promise<void> | undefined;
  return () => {
    next ??= last = last.then(() => {
      next = undefined;
      return work();
    });
    return next;
  };
}

/** Acts that are taken over at once. */
const MOST_ACTS = 1_000;

/** The skills that acts were about, as they are now; one that readers may no longer see has no versions. */
async function readChanged(database: Database, entries: readonly LogEntry[]): Promise<readonly ServedSkill[]> {
  const keys = new Map(
    entries.flatMap(({ scope, skill }) =>
      scope === null || skill === null ? [] : [[`${scope}/${skill}`, { scope, name: skill }] as const],
    ),
  );
  const wanted = [...keys.values()];
  if (wanted.length === 0) return [];
  const served = new Map((await readServed(database, wanted)).map((skill) => [keyOf(skill), skill]));
  return wanted.map(
    (key) => served.get(keyOf(key)) ?? { ...key, versions: [], tags: {}, latest: undefined, skill: undefined },
  );
}
