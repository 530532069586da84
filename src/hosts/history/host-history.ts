import type { Environment } from '../../platform/environment.ts';
import type { Json } from './json-value.ts';
import type { Session } from './session.ts';

/** Whose history, by which variables. */
export type HistoryPlace = Pick<Environment, 'home' | 'variables'>;

/** A history of files with one JSON value per line. */
export interface LineHistory {
  readonly kind: 'lines';
  /** Paths below the folder of the host: in each part, `*` stands for any text. */
  readonly files: readonly (readonly string[])[];
  /** Only lines with one of these texts are parsed. ASCII, and better rare than short. */
  readonly marks: readonly string[];
  /** The same for lines with what a person asked; used only if words of requests are learned. */
  readonly requestMarks: readonly string[];
  /** Is the first line read, whatever it holds? */
  readonly hasHead?: boolean;
  /** Says what the path of a file tells about its session. */
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
  /** The same with what a person asked, whose rows have `role`; used only if words of requests are learned. */
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

/** How to read what a host remembers of its conversations. */
export type HostHistory = LineHistory | DatabaseHistory;
