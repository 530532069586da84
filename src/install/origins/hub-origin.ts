import { z } from 'zod';

import { readHubs, type KnownHub } from '../../config/hubs.ts';
import { parseJson } from '../../model/json.ts';
import type { HubOrigin } from '../../model/origin.ts';
import { fail, type Outcome } from '../../model/outcome.ts';
import { isFolderName } from '../../parse/name-rules.ts';
import { compareSemver, isInRange, parseSemver, parseSemverRange, type SemverRange } from '../../parse/semver.ts';
import { openWebReader, type WebReader } from '../../platform/web/web-reader.ts';
import type { OpenOrigin, OriginKind, OriginOptions } from './origin-kind.ts';
import { fetchLockedArtifact } from './web-artifacts.ts';
import { openWebFiles } from './web-files.ts';

const Version = z.object({
  version: z.string(),
  archive: z.string().regex(/^sha256:[0-9a-f]{64}$/),
  state: z.enum(['published', 'yanked']),
  reason: z.string().nullable(),
});
const Skill = z.object({
  description: z.string().nullable(),
  version: z.string().nullable(),
  versions: z.array(Version),
  tags: z.record(z.string(), z.string()),
});
type HubSkill = z.infer<typeof Skill>;
type HubVersion = z.infer<typeof Version>;

const MAX_ANSWER_BYTES: number = 4 * 1024 * 1024;

/** A skill of a hub: `@team/pdf`, and the range of versions or the tag that is wanted. */
interface HubAddress {
  readonly hub: KnownHub;
  readonly scope: string;
  readonly name: string;
  /** A version, a range (`^1.2`) or a tag (`beta`); undefined for the latest one. */
  readonly range: string | undefined;
}

/** Skills of a team's hub: `@team/pdf@^1.2`. Versions never change there, and one that was yanked is not newly installed. */
export const hubKind: OriginKind<HubOrigin, HubAddress> = {
  parse(text, { environment, ref }) {
    if (!SHORT.test(text)) return undefined;
    return parseHubAddress(ref === undefined ? text : `${text}@${ref}`, environment.agentHome);
  },
  async resolve(address, options) {
    const reader = openHubReader(address, options);
    const read = await readSkill(address, reader);
    const chosen = read.ok ? choose(read.skill, address) : read;
    if (chosen.ok && read.ok) return { ok: true, opened: open({ address, ...chosen, skill: read.skill }, reader) };
    reader.close();
    return chosen.ok ? fail('INSTALL_FAILED', 'unreachable') : chosen;
  },
  async fetch(origin, options) {
    const parsed = parseHubAddress(origin.url, options.environment.agentHome);
    if (!parsed.ok) return parsed;
    const reader = openHubReader(parsed.address, options);
    const { address } = parsed;
    const chosen = { version: origin.version, archive: origin.integrity, state: 'published' as const, reason: null };
    return { ok: true, opened: open({ address: { ...address, range: origin.ref }, chosen, skill: undefined }, reader) };
  },
  async newest(origin, options) {
    const parsed = parseHubAddress(origin.url, options.environment.agentHome);
    if (!parsed.ok) return parsed;
    return hubKind.resolve({ ...parsed.address, range: origin.ref }, options);
  },
};

const SHORT = /^@([a-z0-9][a-z0-9-]{0,62})\/([^@/\s]+)(?:@(.+))?$/s;
const TAG = /^[a-z][a-z0-9-]{0,31}$/;

/** Parses `@team/pdf`, which means the hub that was logged in to last, and the whole address that a lock records. */
function parseHubAddress(text: string, agentHome: string): Outcome<{ readonly address: HubAddress }> {
  const [, origin, short = text] = /^(https?:\/\/[^/]+)\/(@.+)$/s.exec(text) ?? [];
  const [, scope = '', name = '', range] = SHORT.exec(short) ?? [];
  if (scope === '' || !isFolderName(name))
    return fail('INSTALL_FAILED', `${JSON.stringify(text)} is not a skill of a hub, such as @team/pdf`);
  if (range !== undefined && !TAG.test(range) && parseSemverRange(range) === undefined)
    return fail('INSTALL_FAILED', `${JSON.stringify(range)} is not a version, a range of versions or a tag`);
  const known = readHubs(agentHome);
  if (!known.ok) return known;
  const hub = origin === undefined ? known.hubs[0] : known.hubs.find(({ url }) => url === origin);
  if (hub === undefined)
    return fail(
      'INSTALL_FAILED',
      origin === undefined
        ? `${short} is on a hub, and you are not logged in to one`
        : `you are not logged in to ${origin}`,
      { do: 'login', address: origin ?? 'https://your.hub' },
    );
  return { ok: true, address: { hub, scope, name, range } };
}

function openHubReader({ hub }: HubAddress, { environment, signal, timeoutMs, readers }: OriginOptions): WebReader {
  const authorization = { reveal: () => `Bearer ${hub.token}` };
  const settings = { environment, typed: hub.url, authorization, signal, timeoutMs };
  return readers?.open(settings) ?? openWebReader(settings);
}

async function readSkill(address: HubAddress, reader: WebReader): Promise<Outcome<{ readonly skill: HubSkill }>> {
  const label = labelOf(address);
  const got = await reader.get({ url: apiOf(address), maxBytes: MAX_ANSWER_BYTES });
  if (!got.ok) return got;
  if (got.answer.state !== 'found')
    return fail('SKILL_NOT_FOUND', `${address.hub.url} has no ${label}, or you may not read it`);
  const parsed = Skill.safeParse(parseJson(got.answer.bytes.toString()));
  return parsed.success
    ? { ok: true, skill: parsed.data }
    : fail('PARSE_FAILED', `${address.hub.url} does not answer as a hub does`);
}

/** The version that a tag names, or the newest one in the range; never one that was yanked. */
function choose(skill: HubSkill, address: HubAddress): Outcome<{ readonly chosen: HubVersion }> {
  const { range } = address;
  const wanted = range === undefined ? (skill.version ?? undefined) : skill.tags[range];
  const inRange = range === undefined ? undefined : parseSemverRange(range);
  const fitting =
    wanted !== undefined || inRange === undefined
      ? skill.versions.filter(({ version }) => version === wanted)
      : newestFirst(skill.versions, inRange);
  const chosen = fitting.find(({ state }) => state === 'published');
  if (chosen !== undefined) return { ok: true, chosen };
  const [yanked] = fitting;
  if (yanked !== undefined)
    return fail('INSTALL_FAILED', `${labelOf(address)}: ${yanked.version} was yanked: ${yanked.reason ?? ''}`);
  const there = skill.versions.filter(({ state }) => state === 'published').map(({ version }) => version);
  return fail(
    'SKILL_NOT_FOUND',
    `${labelOf(address)} has no version ${range ?? ''}`.trimEnd(),
    there.length === 0 ? undefined : { choose: there.slice(0, 10) },
  );
}

function newestFirst(versions: readonly HubVersion[], range: SemverRange): readonly HubVersion[] {
  return versions
    .flatMap((one) => {
      const parsed = parseSemver(one.version);
      return parsed !== undefined && isInRange(parsed, range) ? [{ one, parsed }] : [];
    })
    .sort((a, b) => compareSemver(b.parsed, a.parsed))
    .map(({ one }) => one);
}

interface Opening {
  readonly address: HubAddress;
  readonly chosen: HubVersion;
  readonly skill: HubSkill | undefined;
}

function open({ address, chosen, skill }: Opening, reader: WebReader): OpenOrigin {
  const { hub, scope, name, range } = address;
  const { version, archive } = chosen;
  const url = `${hub.url}/@${scope}/${name}`;
  const origin: HubOrigin = {
    kind: 'hub',
    url,
    ...(range === undefined ? {} : { ref: range }),
    version,
    integrity: archive,
  };
  const { files, expect } = openWebFiles(
    () =>
      fetchLockedArtifact(
        { url: `${apiOf(address)}/versions/${encodeURIComponent(version)}/archive`, digest: archive },
        reader,
      ),
    () => reader.close(),
  );
  const entry = { name, path: name, file: `${name}/SKILL.md`, description: skill?.description ?? '' };
  return {
    display: `${labelOf(address)}@${version} of ${hub.url}`,
    url,
    notices: listYanked(skill, address),
    choice: version,
    originOf: () => ({ ok: true, origin }),
    find: async () => ({ ok: true, skills: [entry], diagnostics: [] }),
    expect,
    files,
    [Symbol.asyncDispose]: () => files.close(),
  };
}

function listYanked(skill: HubSkill | undefined, address: HubAddress): readonly string[] {
  const yanked = skill?.versions.filter(({ state }) => state === 'yanked') ?? [];
  return yanked.map(({ version, reason }) => `${labelOf(address)}@${version} was yanked: ${reason ?? ''}`);
}

function labelOf({ scope, name }: HubAddress): string {
  return `@${scope}/${name}`;
}

function apiOf({ hub, scope, name }: HubAddress): string {
  return `${hub.url}/api/v1/skills/${encodeURIComponent(scope)}/${encodeURIComponent(name)}`;
}
