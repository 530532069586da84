/** The codes by which callers tell failures apart; a surface renders them, nobody parses the message. */
export type OutcomeCode =
  | 'SKILL_NOT_FOUND'
  | 'STORE_FAILED'
  | 'PARSE_FAILED'
  | 'INVALID_NAME'
  | 'SKILL_INVALID'
  | 'ALREADY_EXISTS'
  | 'RESOURCE_NOT_FOUND'
  | 'PATH_REFUSED'
  | 'NOT_TRUSTED'
  | 'ARGS_TOO_LARGE'
  | 'SCRIPT_TIMEOUT'
  | 'SCRIPT_FAILED'
  | 'SANDBOX_UNAVAILABLE'
  | 'TOOLSET_FAILED'
  | 'INSTALL_FAILED'
  | 'CONFIG_INVALID'
  | 'CTX_INVALID';

/** An operation that could not be done: an expected failure, as a value. */
export interface Failure {
  readonly ok: false;
  readonly code: OutcomeCode;
  /** What happened and why. */
  readonly message: string;
  /**
   * What to do next. Names of options and operations stand in backticks, as a caller of the library writes them
   * (`name`, `trust pdf`); each surface renders them its own way.
   */
  readonly hint?: string;
}

/** Either what was asked for or why not. Expected failures are values; a thrown error is a bug. */
export type Outcome<T = object> = ({ readonly ok: true } & T) | Failure;

export function fail(code: OutcomeCode, message: string, hint?: string): Failure {
  return hint === undefined ? { ok: false, code, message } : { ok: false, code, message, hint };
}
