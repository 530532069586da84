import { z } from 'zod';

import { readHubs, type KnownHub } from '../../config/hubs.ts';
import { hideCredentials, looksLikeAddress } from '../../model/address.ts';
import { fail, type Outcome } from '../../model/outcome.ts';
import type { Environment } from '../../platform/environment.ts';
import { requestJson } from '../../platform/web/request-json.ts';
import { pack } from '../pack.ts';

export interface HubPublishOptions {
  readonly environment: Pick<Environment, 'agentHome' | 'variables'>;
  /** `@team`, on the hub that was logged in to last, or `https://your.hub/@team`. */
  readonly to: string;
  /** Instead of the version that the skill gives. */
  readonly version?: string | undefined;
  /** Moves to the new version; `latest` by default. */
  readonly tag?: string | undefined;
  /** Ids or names of audit rules whose findings do not stop it. */
  readonly allow?: readonly string[] | undefined;
}

const Published = z.object({
  ok: z.literal(true),
  scope: z.string(),
  name: z.string(),
  version: z.string(),
  digest: z.string(),
  state: z.enum(['waiting', 'published', 'rejected', 'yanked']),
  unchanged: z.boolean(),
  waitsFor: z.array(z.string()),
  warnings: z.array(z.string()),
});
const Refused = z.object({ ok: z.literal(false), message: z.string(), advice: z.string().optional() });

/** A version on a hub. */
export interface HubPublication {
  readonly hub: string;
  readonly scope: string;
  readonly name: string;
  readonly version: string;
  readonly digest: string;
  readonly state: 'waiting' | 'published' | 'rejected' | 'yanked';
  /** The same content had been published as this version before. */
  readonly unchanged: boolean;
  /** Why it waits for a person. */
  readonly waitsFor: readonly string[];
  readonly warnings: readonly string[];
}

/** Is this the scope of a hub, or at least an address, and not a folder? */
export function isHubScope(to: string): boolean {
  return SCOPE.test(to) || looksLikeAddress(to);
}

const SCOPE = /^(?:(https?:\/\/[^/@\s]+)\/)?@([a-z0-9][a-z0-9-]{0,62})$/;

/** Packs a skill, checks it here, and sends it to a hub, which checks it again. */
export async function publishToHub(path: string, options: HubPublishOptions): Promise<Outcome<HubPublication>> {
  const found = findHub(options);
  if (!found.ok) return found;
  const packed = await pack(path, { format: 'tar.gz', allow: options.allow });
  if (!packed.ok) return packed;
  const { hub, scope } = found;
  const { version = packed.version, tag, allow = [] } = options;
  if (version === undefined)
    return fail('SKILL_INVALID', `${packed.name} has no version`, {
      either: [{ advice: 'Give it `metadata: { version: 1.0.0 }`.' }, { give: 'version', as: '1.0.0' }],
    });
  const query = new URLSearchParams({
    version,
    ...(tag === undefined ? {} : { tag }),
    ...(allow.length === 0 ? {} : { allow: allow.join(',') }),
  }).toString();
  const url = `${hub.url}/api/v1/skills/${scope}/${encodeURIComponent(packed.name)}/versions?${query}`;
  const asked = await requestJson({
    url,
    environment: options.environment,
    method: 'POST',
    token: hub.token,
    body: packed.bytes,
  });
  if (!asked.ok) return asked;
  const published = Published.safeParse(asked.answer);
  if (published.success) {
    const { ok: _, ...publication } = published.data;
    return { ok: true, ...publication, hub: hub.url };
  }
  const refused = Refused.safeParse(asked.answer);
  return refused.success
    ? fail(
        'NOT_ALLOWED',
        `${hub.url}: ${refused.data.message}`,
        refused.data.advice === undefined ? undefined : { ask: 'user', to: refused.data.advice },
      )
    : fail('PARSE_FAILED', `${hub.url} does not answer as a hub does`);
}

function findHub({ environment, to }: HubPublishOptions): Outcome<{ readonly hub: KnownHub; readonly scope: string }> {
  const [, origin, scope] = SCOPE.exec(to) ?? [];
  if (scope === undefined)
    return fail('CONFIG_INVALID', `${JSON.stringify(hideCredentials(to))} is not the scope of a hub`, {
      advice: 'Name it as `@team` or `https://your.hub/@team`.',
    });
  const known = readHubs(environment.agentHome);
  if (!known.ok) return known;
  const hub = origin === undefined ? known.hubs[0] : known.hubs.find(({ url }) => url === origin);
  return hub === undefined
    ? fail(
        'NOT_ALLOWED',
        origin === undefined ? 'you are not logged in to a hub' : `you are not logged in to ${origin}`,
        {
          do: 'login',
          address: origin ?? 'https://your.hub',
        },
      )
    : { ok: true, hub, scope };
}
