import { hideAllCredentials } from './address.ts';

/** Stable codes by which callers tell failures apart; messages are for people and may change. */
export type OutcomeCode =
  | 'SKILL_NOT_FOUND'
  | 'STORE_FAILED'
  | 'PARSE_FAILED'
  | 'INVALID_NAME'
  | 'SKILL_INVALID'
  | 'ALREADY_EXISTS'
  | 'RESOURCE_NOT_FOUND'
  | 'PATH_REFUSED'
  | 'NOT_ALLOWED'
  | 'NOT_TRUSTED'
  | 'AUDIT_REFUSED'
  | 'ARGS_TOO_LARGE'
  | 'SCRIPT_TIMEOUT'
  | 'SCRIPT_FAILED'
  | 'SANDBOX_UNAVAILABLE'
  | 'TOOLSET_FAILED'
  | 'INSTALL_FAILED'
  | 'CONFIG_INVALID'
  | 'CTX_INVALID';

/** Why an operation could not be done. */
export interface Failure {
  readonly ok: false;
  readonly code: OutcomeCode;
  /** Says what happened and why. */
  readonly message: string;
  /**
   * Says what to do next, in whole sentences. Names of options and operations stand in backticks, as a caller of the library
   * writes them (`name`, `trust pdf`); each surface renders them its own way.
   */
  readonly hint?: string;
}

/**
 * The result of an operation: what was asked for, or why it could not be done. Expected failures are values; a thrown
 * error is a bug. `F` is for callers that need a finer reason than `code`: it extends `Failure` by one typed field.
 */
export type Outcome<T = object, F extends Failure = Failure> = ({ readonly ok: true } & T) | F;

/** No credentials of an address remain in message and hint. */
export function fail(code: OutcomeCode, message: string, hint?: string): Failure {
  const failure: Failure = { ok: false, code, message: hideAllCredentials(message) };
  return hint === undefined ? failure : { ...failure, hint: hideAllCredentials(hint) };
}
