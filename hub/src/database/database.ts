/** A value that SQL can be given. */
export type SqlValue = string | number | boolean | Date | Uint8Array | null | readonly string[];

/** Runs statements; inside a transaction, all of them or none take effect. */
export interface Queries {
  /** The rows of one statement, whose `$1`, `$2`, … are the values. Numbers of 8 bytes come as numbers, dates as text. */
  query<Row extends object>(sql: string, values?: readonly SqlValue[]): Promise<readonly Row[]>;
}

/** A PostgreSQL database: an embedded one, or a server. */
export interface Database extends Queries, AsyncDisposable {
  /** Commits if `work` resolves, and rolls back if it rejects. */
  transaction<Result>(work: (queries: Queries) => Promise<Result>): Promise<Result>;
  /** Runs a script of several statements in one transaction. */
  script(sql: string): Promise<void>;
  /** Calls back for each notice, until disposed. */
  listen(channel: string, listener: NoticeListener): Promise<AsyncDisposable>;
}

export interface NoticeListener {
  readonly onNotice: (payload: string) => void;
  /** Called when notices may have been missed, because the connection was lost and is there again. */
  readonly onGap: () => void;
}

/** The connection was lost while a transaction committed: it may have taken effect, or not. */
export class CommitUnknown extends Error {
  constructor(options: ErrorOptions) {
    super('the connection to the database was lost during a commit', options);
  }
}

/** The code of a database's error, such as `23505` for a duplicate; undefined for any other error. */
export function sqlState(error: unknown): string | undefined {
  if (!(error instanceof Error) || !('code' in error) || typeof error.code !== 'string') return undefined;
  // A digit tells it from EPIPE and other codes of the system.
  return /^(?=.*\d)[0-9A-Z]{5}$/.test(error.code) ? error.code : undefined;
}

/** Is this the failure to reach the database, or the end of a connection? Then asking again later may help. */
export function isConnectionLoss(error: unknown): boolean {
  const state = sqlState(error);
  if (state !== undefined) return /^(?:08|57P|53300)/.test(state);
  if (!(error instanceof Error)) return false;
  if (error instanceof CommitUnknown) return true;
  if ('code' in error && typeof error.code === 'string' && /^(?:ECONN|ENOENT|EPIPE|ETIMEDOUT|EHOST)/.test(error.code))
    return true;
  // The driver says these only in words.
  const { message: foreignText } = error;
  return /connection terminated|timeout exceeded when trying to connect|client has encountered|client was closed|timeout expired/i.test(
    foreignText,
  );
}

/** Has the database no room left for what should be written? */
export function isFull(error: unknown): boolean {
  const state = sqlState(error);
  return state !== undefined && /^(?:53100|53200|54000)/.test(state);
}
