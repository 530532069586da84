import { VERSION } from 'skillplane';

import type { Database } from '../database/database.ts';
import { findKeptPosition, readLibrary, saveLibrary } from '../store/kept-index.ts';
import { LOG_CHANNEL, lastLogId, listLogAfter, type LogEntry } from '../store/log.ts';
import { keepSkills, openKeptSkills } from './kept-skills.ts';
import { openLibrary, type Library } from './library.ts';
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

/** Raise the second part when records of skills change without a release. */
const FORMAT = `hub ${VERSION}-3`;

export async function followLog(database: Database, options: FollowOptions): Promise<FollowedLibrary> {
  const { onError, onAct, now, pollMs = 2_000, saveMs = 60_000 } = options;
  const opened = await openFollowed(database, onError);
  const { library } = opened;
  let { upto } = opened;
  let staleSince: Date | undefined;
  /** Changes that the kept library does not have. */
  let unsaved = 0;
  let saving: NodeJS.Timeout | undefined;

  const take = async (entries: readonly LogEntry[]): Promise<void> => {
    const changed = await readChanged(database, entries);
    if (changed.length > 0) {
      library.put(changed, await readBodies(database, library.missing(changed), reportDamage(onError)));
      unsaved += changed.length;
      if (unsaved >= WORTH_SAVING) saving ??= setTimeout(() => void save(WORTH_SAVING), saveMs).unref();
    }
    for (const entry of entries) onAct?.(entry);
    upto = entries.at(-1)?.id ?? upto;
  };
  /** Of several replicas, one saves: the others see that fewer acts than these are missing. */
  const save = async (least: number): Promise<void> => {
    saving = undefined;
    try {
      const known = await findKeptPosition(database, FORMAT);
      if (known === undefined || upto - known >= least) await keep(database, library, upto);
      unsaved = 0;
    } catch (error) {
      onError(error);
    }
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
  // One after the other: two would take over the same acts. Everyone who asks while one runs shares the next.
  let pulling = Promise.resolve();
  let next: Promise<void> | undefined;
  const catchUp = (): Promise<void> => {
    next ??= pulling = pulling.then(() => {
      next = undefined;
      return pull();
    });
    return next;
  };
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
      await pulling;
      clearTimeout(saving);
      if (unsaved > 0) await save(1);
    },
  };
}

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

interface OpenedLibrary {
  readonly library: Library;
  /** The last act that it surely knows. */
  readonly upto: number;
}

/** The kept library, which only lacks the acts after it; else one that is read from all tables. */
async function openFollowed(database: Database, onError: (error: unknown) => void): Promise<OpenedLibrary> {
  const kept = await readLibrary(database, FORMAT, onError);
  const skills = kept && openKeptSkills(kept.pieces);
  if (kept !== undefined && skills !== undefined) {
    const library = openLibrary(FORMAT, kept.pieces.index);
    const missing = library.missing(skills);
    library.put(skills, await readBodies(database, missing, reportDamage(onError)));
    return { library, upto: kept.upto };
  }
  const upto = await lastLogId(database);
  const library = openLibrary(FORMAT);
  const all = await readServed(database);
  library.put(all, await readBodies(database, library.missing(all), reportDamage(onError)));
  if (all.length >= WORTH_SAVING) await keep(database, library, upto);
  return { library, upto };
}

async function keep(database: Database, library: Library, upto: number): Promise<void> {
  const index = library.save();
  await saveLibrary(database, FORMAT, { upto, pieces: { index, ...keepSkills(library.list()) } });
}

/** Acts that are taken over at once. */
const MOST_ACTS = 1_000;
/** Fewer changes than this are read again at a start, rather than that everything is saved for them. */
const WORTH_SAVING = 100;

function reportDamage(onError: (error: unknown) => void): (key: string) => void {
  return (key) => onError(new Error(`the SKILL.md of ${key} is damaged in the database`));
}
