import { z } from 'zod';

import { readHubs, removeHub, saveHub } from '../../config/hubs.ts';
import { hideCredentials } from '../../model/address.ts';
import { fail, type Outcome } from '../../model/outcome.ts';
import type { Environment } from '../../platform/environment.ts';
import { requestJson } from '../../platform/web/request-json.ts';

const Who = z.object({ person: z.string(), grants: z.array(z.object({ scope: z.string(), role: z.string() })) });

/** A user's identity and permissions on a hub. */
export interface HubLogin {
  readonly url: string;
  readonly person: string;
  /** The scope `*` is every scope. */
  readonly grants: readonly { readonly scope: string; readonly role: string }[];
}

/** The origin of a hub from its address; a failure if it is none. */
export function parseHubUrl(text: string): Outcome<{ readonly url: string }> {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  // Plain http is for this machine alone: anyone on the way could read the token.
  const isSafe = url?.protocol === 'https:' || (url?.protocol === 'http:' && LOOPBACK.test(url.hostname));
  return url !== undefined && isSafe && url.href.replace(/\/+$/, '') === url.origin
    ? { ok: true, url: url.origin }
    : fail(
        'CONFIG_INVALID',
        `${JSON.stringify(hideCredentials(text))} is not the address of a hub, such as https://skills.example.com`,
      );
}

const LOOPBACK = /^(?:localhost|127(?:\.\d+){3}|\[::1\])$/;

/** Checks a token with its hub, and keeps it in a file that only its user can read. */
export async function logIn(
  address: string,
  token: string,
  environment: Pick<Environment, 'agentHome' | 'variables'>,
): Promise<Outcome<{ readonly login: HubLogin }>> {
  const parsed = parseHubUrl(address);
  if (!parsed.ok) return parsed;
  const { url } = parsed;
  const asked = await requestJson({ url: `${url}/api/v1/whoami`, environment, method: 'GET', token });
  if (!asked.ok) return asked;
  const who = Who.safeParse(asked.answer);
  if (!who.success) return fail('PARSE_FAILED', `${url} does not answer as a hub does`);
  if (who.data.grants.length === 0)
    return fail('NOT_ALLOWED', `${url} does not know this token`, {
      ask: 'user',
      to: 'Ask an owner of the hub for a new one.',
    });
  const saved = await saveHub(environment.agentHome, { url, token, person: who.data.person });
  return saved.ok ? { ok: true, login: { url, ...who.data } } : saved;
}

/** Forgets the token of a hub. */
export async function logOut(address: string, { agentHome }: Pick<Environment, 'agentHome'>): Promise<Outcome> {
  const parsed = parseHubUrl(address);
  return parsed.ok ? removeHub(agentHome, parsed.url) : parsed;
}

/** The hubs that someone logged in to, without their tokens; the first is the one that `@team/name` means. */
export function listHubs({
  agentHome,
}: Pick<Environment, 'agentHome'>): Outcome<{ readonly hubs: readonly { url: string; person: string }[] }> {
  const known = readHubs(agentHome);
  return known.ok ? { ok: true, hubs: known.hubs.map(({ url, person }) => ({ url, person })) } : known;
}
