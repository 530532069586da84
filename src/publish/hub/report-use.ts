import { createHash, randomUUID } from 'node:crypto';
import { join } from 'node:path';

import { z } from 'zod';

import { readHubs, type KnownHub } from '../../config/hubs.ts';
import { readLock } from '../../config/lock-file.ts';
import { readConfig } from '../../config/read-config.ts';
import { findInstallPlace, type InstallScope } from '../../install/install-place.ts';
import { findHostId } from '../../model/agents.ts';
import { tellsHubs } from '../../model/config.ts';
import { parseJson } from '../../model/json.ts';
import type { HubOrigin } from '../../model/origin.ts';
import { fail, type Outcome } from '../../model/outcome.ts';
import { isoDay } from '../../model/time.ts';
import { now } from '../../platform/clock.ts';
import type { Environment } from '../../platform/environment.ts';
import { readOwnText } from '../../platform/files/files.ts';
import { withLock } from '../../platform/files/lock.ts';
import { replaceFile } from '../../platform/files/replace-file.ts';
import { requestJson } from '../../platform/web/request-json.ts';
import type { UsageDetail } from '../../usage/usage-store.ts';
import type { Usage } from '../../usage/usage.ts';
import { addUses, sumUses, type HubUse, type SentUse } from './use-ledger.ts';

/** The result of telling one hub. */
export interface UseReport {
  readonly hub: string;
  /** How many sums it took; all are sent again another time. */
  readonly sent: number;
  readonly left: number;
  /** Why some are left. */
  readonly problem?: string | undefined;
}

const DAY_MS = 86_400_000;
/** How long a hub that is away finds everything when it is back: this week and the four before it. */
const KEPT_WEEKS = 5;
const MAX_BATCH = 500;
const MAX_PROJECTS = 200;
const TIMEOUT_MS = 10_000;

/** Counts of the last weeks by version; a missing or damaged file starts over, as a new client. */
const Ledger = z.object({
  client: z.string(),
  entries: z.array(
    z.object({
      hub: z.string(),
      project: z.string(),
      week: z.string(),
      scope: z.string(),
      skill: z.string(),
      host: z.string(),
      version: z.string(),
      count: z.number(),
    }),
  ),
});

function ledgerFile(agentHome: string): string {
  return join(agentHome, 'hub-usage.json');
}

/**
 * Reports to each hub only how often its skills were used here, by week, version and agent. Sends all sums of five
 * weeks each time, so that a hub misses nothing after a downtime. Fails unless `usage: { hub: true }` is set.
 */
export async function reportUse(
  usage: Pick<Usage, 'history'>,
  environment: Environment,
): Promise<Outcome<{ readonly reports: readonly UseReport[] }>> {
  const { config } = readConfig(environment);
  if (!tellsHubs(config.usage))
    return fail('CONFIG_INVALID', 'usage is not reported to hubs', { set: 'usage', to: '{ hub: true }' });
  const known = readHubs(environment.agentHome);
  if (!known.ok) return known;
  const since = mondayOf(now()) - (KEPT_WEEKS - 1) * 7 * DAY_MS;
  const read = await usage.history({ since, until: now(), buckets: 1 });
  if (!read.ok) return read;
  const uses = await listHubUses(read.history?.details ?? [], known.hubs, environment);
  return withLock(ledgerFile(environment.agentHome), async () => {
    const { client, entries } = readLedger(environment.agentHome);
    const ledger = addUses(entries, uses, isoDay(since));
    // Written before anything is sent: later, these uses would belong to the version that is installed then.
    const saved = saveLedger(environment.agentHome, client, ledger);
    if (!saved.ok) return saved;
    const reports: UseReport[] = [];
    for (const hub of known.hubs) reports.push(await tell(hub, sumUses(ledger, hub.url), { client, environment }));
    return { ok: true, reports };
  });
}

async function tell(
  hub: KnownHub,
  sums: readonly SentUse[],
  { client, environment }: { readonly client: string; readonly environment: Environment },
): Promise<UseReport> {
  for (let sent = 0; sent < sums.length; sent += MAX_BATCH) {
    const uses = sums.slice(sent, sent + MAX_BATCH);
    const asked = await requestJson({
      url: `${hub.url}/api/v1/usage`,
      environment,
      method: 'POST',
      token: hub.token,
      body: Buffer.from(JSON.stringify({ client: clientOf(client, hub.url), uses })),
      timeoutMs: TIMEOUT_MS,
    });
    const problem = asked.ok ? `${hub.url} answered ${asked.status}` : asked.message;
    if (!asked.ok || asked.status !== 200) return { hub: hub.url, sent, left: sums.length - sent, problem };
  }
  return { hub: hub.url, sent: sums.length, left: 0 };
}

/** Tells this installation from others of the same person. Each hub knows it by another name. */
function clientOf(client: string, hub: string): string {
  return createHash('sha256').update(`${client} ${hub}`).digest('base64url').slice(0, 22);
}

/** Uses of skills that were installed from these hubs, for the user or in the project where they were used. */
async function listHubUses(
  details: readonly UsageDetail[],
  hubs: readonly KnownHub[],
  environment: Environment,
): Promise<readonly HubUse[]> {
  const uses = new Map<string, HubUse>();
  const byProject = Map.groupBy(details, ({ project }) => project);
  for (const [project, own] of [...byProject].slice(0, MAX_PROJECTS)) {
    const installed = await readInstalled(project, hubs, environment);
    for (const { skill: called, agent, week, events } of own) {
      const found = installed.get(called) ?? installed.get(called.slice(called.lastIndexOf(':') + 1));
      if (found === undefined) continue;
      const host = findHostId(agent) ?? OTHER_HOST;
      const use = { ...found, project, week: isoDay(week), host, count: events };
      const key = JSON.stringify([found.hub, found.scope, found.skill, project, week, host]);
      uses.set(key, { ...use, count: (uses.get(key)?.count ?? 0) + events });
    }
  }
  return [...uses.values()];
}

/** Names of other agents are their user's own words, and stay here. */
const OTHER_HOST = 'other';

type InstalledFromHub = Pick<HubUse, 'hub' | 'scope' | 'skill' | 'version'>;

/** Skills of hubs by their names in the project; none if the project keeps its use to itself. */
async function readInstalled(
  project: string,
  hubs: readonly KnownHub[],
  environment: Environment,
): Promise<ReadonlyMap<string, InstalledFromHub>> {
  const there = project === '' ? environment : { ...environment, cwd: project };
  const { config } = readConfig(there);
  if (!tellsHubs(config.usage)) return new Map();
  const found = new Map<string, InstalledFromHub>();
  for (const scope of ['user', 'project'] satisfies readonly InstallScope[]) {
    const place = findInstallPlace({ environment: there, config, scope });
    const lock = place.ok ? readLock(place.place.lockFile) : place;
    if (!lock.ok) continue;
    for (const { name, origin } of lock.skills) {
      const known = origin.kind === 'hub' ? toInstalled(origin, hubs) : undefined;
      if (known !== undefined) found.set(name, known);
    }
  }
  return found;
}

function toInstalled({ url, version }: HubOrigin, hubs: readonly KnownHub[]): InstalledFromHub | undefined {
  const [, hub = '', scope = '', skill = ''] = /^(https?:\/\/[^/]+)\/@([^/]+)\/([^/]+)$/.exec(url) ?? [];
  return hubs.some((known) => known.url === hub) ? { hub, scope, skill, version } : undefined;
}

function readLedger(agentHome: string): { readonly client: string; readonly entries: readonly HubUse[] } {
  const read = readOwnText(ledgerFile(agentHome));
  const parsed = read.ok && read.text !== undefined ? Ledger.safeParse(parseJson(read.text)) : undefined;
  return parsed?.success === true ? parsed.data : { client: randomUUID(), entries: [] };
}

function saveLedger(agentHome: string, client: string, entries: readonly HubUse[]): Outcome {
  return replaceFile(ledgerFile(agentHome), `${JSON.stringify({ client, entries })}\n`, { isPrivate: true });
}

/** 1970 began on a Thursday, three days after a Monday. */
function mondayOf(time: number): number {
  const days = Math.floor(time / DAY_MS) + 3;
  return (days - (days % 7) - 3) * DAY_MS;
}
