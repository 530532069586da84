import { readHubs, type KnownHub } from '../../config/hubs.ts';
import { fail, type Outcome } from '../../model/outcome.ts';
import { parseSemverRange } from '../../parse/semver.ts';

/** A skill of a hub: `@team/pdf`, and the range of versions or the tag that is wanted. */
export interface HubAddress {
  readonly hub: KnownHub;
  readonly scope: string;
  readonly name: string;
  /** A version, a range (`^1.2`) or a tag (`beta`); undefined for the latest one. */
  readonly range: string | undefined;
}

const SHORT = /^@([a-z0-9][a-z0-9-]{0,62})\/([^@/\s]+)(?:@(.+))?$/s;
const TAG = /^[a-z][a-z0-9-]{0,31}$/;

/** Is this the address of a skill on a hub, such as `@team/pdf@^1.2`? */
export function isHubAddress(text: string): boolean {
  return SHORT.test(text);
}

/** Parses `@team/pdf`, which means the hub that was logged in to last, and the whole address that a lock records. */
export function parseHubAddress(text: string, agentHome: string): Outcome<{ readonly address: HubAddress }> {
  const [, origin, short = text] = /^(https?:\/\/[^/]+)\/(@.+)$/s.exec(text) ?? [];
  const [, scope = '', name = '', range] = SHORT.exec(short) ?? [];
  if (scope === '') return fail('INSTALL_FAILED', `${JSON.stringify(text)} is not a skill of a hub, such as @team/pdf`);
  if (range !== undefined && !TAG.test(range) && parseSemverRange(range) === undefined)
    return fail('INSTALL_FAILED', `${JSON.stringify(range)} is not a version, a range of versions or a tag`);
  const known = readHubs(agentHome);
  if (!known.ok) return known;
  const hub = origin === undefined ? known.hubs[0] : known.hubs.find(({ url }) => url === origin);
  if (hub === undefined)
    return fail(
      'INSTALL_FAILED',
      origin === undefined
        ? `${short} is on a hub, and you are logged in to none`
        : `you are not logged in to ${origin}`,
      `Log in with \`login ${origin ?? 'https://your.hub'}\`.`,
    );
  return { ok: true, address: { hub, scope, name, range } };
}
