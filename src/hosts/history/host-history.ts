import type { Environment } from '../../platform/environment.ts';
import type { Json } from './json-value.ts';
import type { Session } from './session.ts';

/** Whose history, by which variables. */
export type HistoryPlace = Pick<Environment, 'home' | 'variables'>;

/** A history of files with one JSON value per line. */
export interface LineHistory {
  readonly kind: 'lines';
  /** Paths below the agent's folder; `*` matches any text within one part. */
  readonly files: readonly (readonly string[])[];
  /** Only lines with one of these texts are parsed. ASCII, and better rare than short. */
  readonly marks: readonly string[];
  /** The same for lines with a person's request; used only if request words are learned. */
  readonly requestMarks: readonly string[];
  /** Is the first line read, whatever it holds? */
  readonly hasHead?: boolean;
  /** Reads session facts from a file's path. */
  open?(path: string, session: Session): void;
  /** Takes one line. It has a mark, or the id of a call that waits for its result. */
  read(line: Json, session: Session): void;
}

/** A history in an SQLite database. */
export interface DatabaseHistory {
  readonly kind: 'database';
  file(place: HistoryPlace): string;
  /** Gives rows with `data`, `session`, `cwd`, `id` and `changed`, in the order of time. */
  readonly query: string;
  /** The same with a person's requests, whose rows have `role`; used only if request words are learned. */
  readonly requests: string;
  read(row: DatabaseRow, session: Session): void;
}

export interface DatabaseRow {
  readonly id: string;
  readonly session: string;
  readonly cwd: string;
  /** When the row was changed last, in milliseconds since 1970. */
  readonly changed: number;
  /** `user` if a person wrote it; empty if unknown. */
  readonly role: string;
  readonly data: Json;
}

/** How to read an agent's conversation history. */
export type HostHistory = LineHistory | DatabaseHistory;
