import type { NextStep } from '../../model/next-step.ts';
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

/** Why a request failed, with a step to take if there is one. Any other error is rethrown. */
export function explainError(error: unknown, { failed, timeoutMs, isCancelled, isLate, proxy }: RequestFacts): Failure {
  const could = `${failed}${proxy === undefined ? '' : ` through the proxy ${proxy}`}`;
  if (isCancelled) return fail('INSTALL_FAILED', `${could}: it was cancelled`);
  if (isLate) return fail('INSTALL_FAILED', `${could}: it took longer than ${Math.ceil(timeoutMs / 1_000)} s`);
  const code = systemCode(error);
  if (code === undefined || !(error instanceof Error)) throw error;
  if (error instanceof RefusedAddress) return fail('PATH_REFUSED', `${could}: ${error.message}`, error.next);
  if (error instanceof ProxyRefusal)
    return fail(
      'INSTALL_FAILED',
      `${could}: ${error.status === 407 ? 'the proxy requires a user name and password (407)' : error.message}`,
      CHECK_PROXY,
    );
  if (/CERT|SELF_SIGNED|UNABLE_TO|ERR_TLS|PRX_TLS/.test(code))
    return fail('INSTALL_FAILED', `${could}: its certificate is not valid for this machine (${code})`, {
      ask: 'user',
      to: 'If your organisation has its own authority, name its file in the variable NODE_EXTRA_CA_CERTS.',
    });
  const reason = REASONS[code] ?? `the connection failed (${code})`;
  return proxy === undefined
    ? fail('INSTALL_FAILED', `${could}: ${reason}`)
    : fail('INSTALL_FAILED', `${could}: ${reason}`, CHECK_PROXY);
}

const CHECK_PROXY: NextStep = {
  ask: 'user',
  to: 'Check the proxy, which the variable HTTPS_PROXY or ALL_PROXY sets; NO_PROXY lists hosts that need none.',
};

const REASONS: Readonly<Record<string, string>> = {
  ENOTFOUND: 'host not found, or no network',
  EAI_AGAIN: 'host not found, or no network',
  ECONNREFUSED: 'the host does not answer',
  EHOSTUNREACH: 'the host does not answer',
  ENETUNREACH: 'no network',
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
  if (status === 429) return fail('INSTALL_FAILED', `${could}: too many requests (429)`, { retry: 'later' });
  return fail('INSTALL_FAILED', `${could}: the server answered with status ${status}`);
}
