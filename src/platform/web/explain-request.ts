import { fail, type Failure } from '../../model/outcome.ts';
import { systemCode } from '../errors.ts';
import { RefusedAddress } from './address-guard.ts';

export interface RequestFacts {
  /** The beginning of every message: "https://a.example/x could not be fetched". */
  readonly failed: string;
  readonly timeoutMs: number;
  readonly isCancelled: boolean;
  /** The time was up; the error may be any that a connection has that is ended halfway. */
  readonly isLate: boolean;
  /** Host and port of the proxy that the connection goes through. */
  readonly proxy?: string | undefined;
}

/** The proxy did not open a tunnel. */
export class ProxyRefusal extends Error {
  readonly code = 'PROXY_REFUSED';
  readonly status: number;
  constructor(status: number) {
    super(`the proxy answered with status ${status}`);
    this.status = status;
  }
}

/** Why a request failed, with a hint if something can be done about it. Any other error is rethrown. */
export function explainError(error: unknown, { failed, timeoutMs, isCancelled, isLate, proxy }: RequestFacts): Failure {
  const could = `${failed}${proxy === undefined ? '' : ` through the proxy ${proxy}`}`;
  if (isCancelled) return fail('INSTALL_FAILED', `${could}: it was cancelled`);
  if (isLate) return fail('INSTALL_FAILED', `${could}: it took longer than ${Math.ceil(timeoutMs / 1_000)} s`);
  const code = systemCode(error);
  if (code === undefined || !(error instanceof Error)) throw error;
  if (error instanceof RefusedAddress) return fail('PATH_REFUSED', `${could}: ${error.message}`, error.hint);
  if (error instanceof ProxyRefusal)
    return fail(
      'INSTALL_FAILED',
      `${could}: ${error.status === 407 ? 'the proxy wants a name and a password (407)' : error.message}`,
      PROXY_HINT,
    );
  if (/CERT|SELF_SIGNED|UNABLE_TO|ERR_TLS|PRX_TLS/.test(code))
    return fail(
      'INSTALL_FAILED',
      `${could}: its certificate is not valid for this machine (${code})`,
      'If your organisation has its own authority, name its file in the variable NODE_EXTRA_CA_CERTS.',
    );
  const reason = REASONS[code] ?? `the connection failed (${code})`;
  return proxy === undefined
    ? fail('INSTALL_FAILED', `${could}: ${reason}`)
    : fail('INSTALL_FAILED', `${could}: ${reason}`, PROXY_HINT);
}

const PROXY_HINT = 'The proxy is set by the variable HTTPS_PROXY or ALL_PROXY; NO_PROXY lists hosts that need none.';

const REASONS: Readonly<Record<string, string>> = {
  ENOTFOUND: 'there is no such host, or no network',
  EAI_AGAIN: 'there is no such host, or no network',
  ECONNREFUSED: 'the host does not answer',
  EHOSTUNREACH: 'the host does not answer',
  ENETUNREACH: 'there is no network',
  ETIMEDOUT: 'the host does not answer in time',
  ECONNRESET: 'the host ended the connection',
  EPIPE: 'the host ended the connection',
  UND_ERR_CONNECT_TIMEOUT: 'the host does not answer in time',
  UND_ERR_HEADERS_TIMEOUT: 'the host does not answer in time',
  UND_ERR_BODY_TIMEOUT: 'the host does not answer in time',
  UND_ERR_SOCKET: 'the host ended the connection',
  UND_ERR_RES_CONTENT_LENGTH_MISMATCH: 'the host ended the connection',
};

/** Why a status other than success is a failure. */
export function explainAnswer(could: string, status: number): Failure {
  if (status === 401 || status === 403)
    return fail('INSTALL_FAILED', `${could}: the server refuses access (${status})`);
  if (status === 429)
    return fail('INSTALL_FAILED', `${could}: the server has had too many requests (429)`, 'Try later.');
  return fail('INSTALL_FAILED', `${could}: the server answered with status ${status}`);
}
