import { decodePercent, hasUnclearCredentials, hideCredentials } from '../../model/address.ts';
import { fail, type Failure, type Outcome } from '../../model/outcome.ts';
import { findInvisible } from '../../parse/invisible.ts';

/** A text that does not appear when it is printed or stored by mistake. */
export interface Secret {
  readonly reveal: () => string;
}

/** An https, http, ssh or file address, in the spelling that every program reads alike. */
export interface ParsedUrl {
  /** Without credentials and fragment. */
  readonly url: URL;
  /** `user:password`, if the address had a user. */
  readonly credentials?: Secret | undefined;
}

const PROTOCOLS: ReadonlySet<string> = new Set(['https:', 'http:', 'ssh:', 'file:']);
const LOOPBACK = /^(?:localhost|127(?:\.\d+){3}|\[::1\])$/;

/** The only parser of addresses with a protocol: whatever fetches from an address gets the `url`, never the text. */
export function parseUrl(text: string): Outcome<ParsedUrl> {
  const scheme = /^([A-Za-z][A-Za-z0-9+.-]*):\/\//.exec(text)?.[1]?.toLowerCase();
  if (scheme !== undefined && !PROTOCOLS.has(`${scheme}:`))
    return refuseAddress(`the protocol ${scheme} is not supported; use https, ssh or file`);
  if (scheme === undefined || !URL.canParse(text)) return refuseAddress('its host or port is not valid');
  const url = new URL(text);
  // Anyone on the network path could change the answer, except on loopback.
  if (url.protocol === 'http:' && !LOOPBACK.test(url.hostname))
    return refuseAddress('http is not supported, since anyone on the network path can change the content; use https');
  const user = decodePercent(`${url.username}:${url.password}`);
  if (user === undefined || /[\0-\x1f\x7f]/.test(user))
    return refuseAddress('the credentials contain a character that must be written as %XX');
  url.username = '';
  url.password = '';
  url.hash = '';
  return { ok: true, url, ...(user !== ':' && { credentials: { reveal: () => user } }) };
}

export function refuseAddress(reason: string): Failure {
  return fail('INSTALL_FAILED', reason);
}

const MAX_LENGTH = 2_048;

/** Why a text is no address of any kind; undefined if it may be one. */
export function findTextFault(text: string): string | undefined {
  if (text === '') return 'the address is empty';
  if (text.length > MAX_LENGTH) return `the address is longer than ${MAX_LENGTH} characters`;
  if (text.startsWith('-')) return 'an address cannot begin with "-"';
  if (hasUnclearCredentials(text))
    return 'a "/" in a name or password must be written as %2F, and an "@" in a path as %40';
  if (/[\0-\x1f\x7f-\x9f\u2028\u2029]/.test(text) || findInvisible(text, 1).length > 0)
    return 'the address contains an invisible character';
  return undefined;
}

/** An address as it was typed, for messages. */
export function showTyped(text: string): string {
  return text === '' ? '""' : hideCredentials(text).slice(0, MAX_SHOWN);
}

const MAX_SHOWN = 200;
