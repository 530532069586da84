import { join } from 'node:path';

import { parseJson } from '../model/json.ts';
import type { NextStep } from '../model/next-step.ts';
import { fail, type Outcome } from '../model/outcome.ts';
import { hasTexts } from '../platform/files/entry-file.ts';
import { readOwnText } from '../platform/files/files.ts';
import { withLock } from '../platform/files/lock.ts';
import { replaceFile } from '../platform/files/replace-file.ts';

/** A hub that someone logged in to. */
export interface KnownHub {
  /** Its origin, such as `https://hub.example`. */
  readonly url: string;
  readonly token: string;
  readonly person: string;
}

/** Only its user may read it: it holds tokens. */
function fileOf(agentHome: string): string {
  return join(agentHome, 'hubs.json');
}

/** The hubs that are known here; the first is the one that `@team/name` means. */
export function readHubs(agentHome: string): KnownHubs {
  const file = fileOf(agentHome);
  const read = readOwnText(file);
  if (!read.ok) return read;
  if (read.text === undefined) return { ok: true, hubs: [] };
  const hubs = parseHubs(read.text);
  return hubs === undefined
    ? fail('CONFIG_INVALID', `${file} cannot be read`, { ask: 'user', to: 'Remove it and log in again.' })
    : { ok: true, hubs };
}

/** Remembers a hub and makes it the first one. */
export function saveHub(agentHome: string, hub: KnownHub): Promise<Outcome> {
  return changeHubs(agentHome, (known) => {
    return { ok: true, hubs: [hub, ...known.filter(({ url }) => url !== hub.url)] };
  });
}

/** Forgets a hub and its token. */
export function removeHub(agentHome: string, url: string): Promise<Outcome> {
  return changeHubs(agentHome, (known) => {
    const hubs = known.filter((hub) => hub.url !== url);
    return hubs.length < known.length
      ? { ok: true, hubs }
      : fail('CONFIG_INVALID', `you are not logged in to ${url}`, listHubs(known));
  });
}

type KnownHubs = Outcome<{ readonly hubs: readonly KnownHub[] }>;

function changeHubs(agentHome: string, change: (known: readonly KnownHub[]) => KnownHubs): Promise<Outcome> {
  const file = fileOf(agentHome);
  return withLock(file, async ({ check }) => {
    const known = readHubs(agentHome);
    const changed = known.ok ? change(known.hubs) : known;
    if (!changed.ok) return changed;
    return replaceFile(file, `${JSON.stringify({ hubs: changed.hubs }, undefined, 2)}\n`, { isPrivate: true, check });
  });
}

function listHubs(hubs: readonly KnownHub[]): NextStep | undefined {
  return hubs.length === 0 ? undefined : { choose: hubs.map(({ url }) => url) };
}

function parseHubs(text: string): readonly KnownHub[] | undefined {
  const value = parseJson(text);
  if (typeof value !== 'object' || value === null || !('hubs' in value) || !Array.isArray(value.hubs)) return undefined;
  const entries: readonly unknown[] = value.hubs;
  return entries.every(isKnownHub) ? entries : undefined;
}

function isKnownHub(entry: unknown): entry is KnownHub {
  return hasTexts(entry, ['url', 'token', 'person']);
}
