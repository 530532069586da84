import { VERSION } from 'skillplane';

import type { Database } from '../database/database.ts';
import { readIndex, saveIndex } from '../store/kept-index.ts';
import { LOG_CHANNEL, lastLogId, listLogAfter, type LogEntry } from '../store/log.ts';
import { openLibrary, type Library } from './library.ts';
import { readBodies, readServed } from './read-served.ts';
import type { ServedSkill } from './served-skill.ts';

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
  /** How long to wait with saving the index after a change; 30 seconds. */
  readonly saveMs?: number | undefined;
}

/** Raise the second part when records of skills change without a release. */
const INDEX_FORMAT = `hub ${VERSION}-2`;

export async function followLog(database: Database, options: FollowOptions): Promise<FollowedLibrary> {
  const { onError, onAct, now, pollMs = 2_000, saveMs = 30_000 } = options;
  let upto = await lastLogId(database);
  const library = await readLibrary(database, onError);
  let staleSince: Date | undefined;
  let saving: NodeJS.Timeout | undefined;

  const take = async (entries: readonly LogEntry[]): Promise<void> => {
    const changed = await readChanged(database, entries);
    if (changed.length > 0) {
      library.put(changed, await readBodies(database, library.missing(changed), reportDamage(onError)));
      saving ??= setTimeout(() => void save(), saveMs).unref();
    }
    for (const entry of entries) onAct?.(entry);
    upto = entries.at(-1)?.id ?? upto;
  };
  const save = async (): Promise<void> => {
    saving = undefined;
    await saveIndex(database, { format: INDEX_FORMAT, upto, bytes: library.save() }).catch(onError);
  };
  const pull = async (): Promise<void> => {
    try {
      for (;;) {
        const entries = await listLogAfter(database, upto);
        staleSince = undefined;
        if (entries.length === 0) return;
        await take(entries);
      }
    } catch (error) {
      staleSince ??= now();
      onError(error);
    }
  };
  // One after the other: two would take over the same acts.
  let pulling = Promise.resolve();
  const catchUp = (): Promise<void> => (pulling = pulling.then(pull));
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
      if (saving !== undefined) {
        clearTimeout(saving);
        await save();
      }
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
  const changed: ServedSkill[] = [];
  for (const key of keys.values()) {
    const [served] = await readServed(database, key);
    changed.push(served ?? { ...key, versions: [], tags: {}, latest: undefined, skill: undefined });
  }
  return changed;
}

async function readLibrary(database: Database, onError: (error: unknown) => void): Promise<Library> {
  const [saved, skills] = await Promise.all([readIndex(database, INDEX_FORMAT, onError), readServed(database)]);
  const library = openLibrary(INDEX_FORMAT, saved);
  const missing = library.missing(skills);
  library.put(skills, await readBodies(database, missing, reportDamage(onError)));
  if (missing.length > SAVE_AT_ONCE)
    await saveIndex(database, { format: INDEX_FORMAT, upto: await lastLogId(database), bytes: library.save() });
  return library;
}

/** A first index of many skills is worth keeping at once. */
const SAVE_AT_ONCE = 100;

function reportDamage(onError: (error: unknown) => void): (key: string) => void {
  return (key) => onError(new Error(`the SKILL.md of ${key} is damaged in the database`));
}
