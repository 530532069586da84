import { hideAllCredentials } from './address.ts';
import { mapTexts, type NextStep } from './next-step.ts';

/** Stable codes that identify failures; messages are for people and may change. */
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
  /** The step to take next, as data; each surface says it in its own way. */
  readonly next?: NextStep;
}

/**
 * The result of an operation: what was asked for, or why it could not be done. Expected failures are values; a thrown
 * error is a bug. `F` is for callers that need a finer reason than `code`: it extends `Failure` by one typed field.
 */
export type Outcome<T = object, F extends Failure = Failure> = ({ readonly ok: true } & T) | F;

/** No credentials of an address remain in the message and in the strings of the step. */
export function fail(code: OutcomeCode, message: string, next?: NextStep): Failure {
  const failure: Failure = { ok: false, code, message: hideAllCredentials(message) };
  return next === undefined ? failure : { ...failure, next: mapTexts(next, hideAllCredentials) };
}
