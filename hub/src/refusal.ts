/** Why a request was not carried out. */
export interface Refusal {
  readonly ok: false;
  readonly status: 400 | 401 | 403 | 404 | 409 | 413 | 422 | 429 | 500 | 503;
  /** Stable; messages are for people and may change. */
  readonly code: RefusalCode;
  readonly message: string;
  readonly advice?: string | undefined;
  /** Every single reason, where there are several. */
  readonly details?: readonly string[] | undefined;
}

export type RefusalCode =
  | 'BAD_REQUEST'
  | 'UNAUTHENTICATED'
  | 'FORBIDDEN'
  | 'NOT_FOUND'
  | 'CONFLICT'
  | 'TOO_LARGE'
  | 'INVALID_SKILL'
  | 'BUSY'
  | 'DAMAGED'
  | 'UNAVAILABLE'
  | 'FULL'
  | 'INTERNAL';

const STATUS: Readonly<Record<RefusalCode, Refusal['status']>> = {
  BAD_REQUEST: 400,
  UNAUTHENTICATED: 401,
  FORBIDDEN: 403,
  NOT_FOUND: 404,
  CONFLICT: 409,
  TOO_LARGE: 413,
  INVALID_SKILL: 422,
  BUSY: 429,
  DAMAGED: 500,
  INTERNAL: 500,
  UNAVAILABLE: 503,
  FULL: 503,
};

/** The result of an operation of the hub. */
export type Result<T = object> = ({ readonly ok: true } & T) | Refusal;

export function refuse(code: RefusalCode, message: string, more: Pick<Refusal, 'advice' | 'details'> = {}): Refusal {
  return { ok: false, status: STATUS[code], code, message, ...more };
}
