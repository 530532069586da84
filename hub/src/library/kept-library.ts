import { VERSION } from 'skillplane';

import type { Database } from '../database/database.ts';
import { findKeptPosition, readLibrary, saveLibrary } from '../store/kept-index.ts';
import { lastLogId } from '../store/log.ts';
import { keepSkills, openKeptSkills } from './kept-skills.ts';
import { openLibrary, type Library } from './library.ts';
import { readBodies, readServed } from './read-served.ts';

/** Raise the second part when records of skills change without a release. */
const FORMAT = `hub ${VERSION}-3`;
/** Fewer changes than this are read again at a start, rather than that everything is saved for them. */
const WORTH_SAVING = 100;

export interface OpenedLibrary {
  readonly library: Library;
  /** The last act that it surely knows. */
  readonly upto: number;
}

/** The kept library, which only lacks the acts after it; else one that is read from all tables. */
export async function openKeptLibrary(database: Database, onError: (error: unknown) => void): Promise<OpenedLibrary> {
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
  if (all.length >= WORTH_SAVING) await keepLibrary(database, { library, upto }, 0);
  return { library, upto };
}

/** Keeps a library from time to time. */
export interface Keeper {
  /** Call this with the number of changes. */
  note(changes: number): void;
  /** Ends it, and keeps the last changes if `isSaving`. */
  close(isSaving: boolean): Promise<void>;
}

export interface KeeperOptions {
  readonly saveMs: number;
  readonly onError: (error: unknown) => void;
}

/** `now` gives the library as it is. */
export function openKeeper(database: Database, now: () => OpenedLibrary, { saveMs, onError }: KeeperOptions): Keeper {
  /** Changes that the kept library does not have. */
  let unsaved = 0;
  let waiting: NodeJS.Timeout | undefined;
  let saving = Promise.resolve();
  const save = async (least: number): Promise<void> => {
    waiting = undefined;
    const taken = unsaved;
    unsaved = 0;
    await keepLibrary(database, now(), least).catch((error: unknown) => {
      unsaved += taken;
      onError(error);
    });
  };
  return {
    note(changes) {
      unsaved += changes;
      if (unsaved < WORTH_SAVING) return;
      waiting ??= setTimeout(() => (saving = save(WORTH_SAVING)), saveMs).unref();
    },
    async close(isSaving) {
      clearTimeout(waiting);
      await saving;
      if (isSaving && unsaved > 0) await save(1);
    },
  };
}

/** Keeps the library, unless the kept one lacks fewer acts than these: of several replicas, one then saves for all. */
async function keepLibrary(database: Database, { library, upto }: OpenedLibrary, least: number): Promise<void> {
  const known = await findKeptPosition(database, FORMAT);
  if (known !== undefined && upto - known < least) return;
  const pieces = { index: library.save(), ...keepSkills(library.list()) };
  await saveLibrary(database, FORMAT, { upto, pieces });
}

export function reportDamage(onError: (error: unknown) => void): (key: string) => void {
  return (key) => onError(new Error(`the SKILL.md of ${key} is damaged in the database`));
}
