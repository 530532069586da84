import { decodePercent } from '../../model/address.ts';
import { fail, type Outcome } from '../../model/outcome.ts';
import type { Secret } from './repository-url.ts';

/** An address that we fetch ourselves: an index of skills, a site that may have one, or an archive. */
export interface WebAddress {
  /** Without credentials and fragment. */
  readonly url: string;
  /** `user:password`, if the address had them. */
  readonly credentials?: Secret | undefined;
}

/** Parses an https address. Plain http is for this machine alone: anyone on the way could change what it answers. */
export function parseWebAddress(text: string): Outcome<{ readonly address: WebAddress }> {
  if (!URL.canParse(text)) return fail('INSTALL_FAILED', 'this is not a valid address');
  const url = new URL(text);
  const { protocol, hostname, username, password } = url;
  if (protocol === 'http:' && !LOOPBACK.test(hostname))
    return fail(
      'INSTALL_FAILED',
      `${protocol}//${hostname}: http is not supported, since anyone on the network path can change the content; use https`,
    );
  if (protocol !== 'https:' && protocol !== 'http:')
    return fail('INSTALL_FAILED', `the protocol ${protocol} is not supported; use https`);
  const user = decodePercent(`${username}:${password}`);
  if (user === undefined) return fail('INSTALL_FAILED', 'the name or password in the address is not encoded correctly');
  url.username = '';
  url.password = '';
  url.hash = '';
  const credentials = user === ':' ? {} : { credentials: { reveal: () => user } };
  return { ok: true, address: { url: url.href, ...credentials } };
}

const LOOPBACK = /^(?:localhost|127(?:\.\d+){3}|\[::1\])$/;

/** An archive: a file of this machine, whose `url` is its path, or an https address. */
export interface ArchiveAddress extends WebAddress {
  readonly isFile: boolean;
}

/** How the names of archives end, with what may follow in an address. */
export const ARCHIVE_ENDING: RegExp = /\.(?:skill|zip|tar\.gz|tgz)(?:[?#].*)?$/is;

/** Is this the address of an index itself? */
export function isIndexAddress(url: string): boolean {
  return /\/index\.json(?:\?.*)?$/s.test(url);
}
